import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets about elements that a collector drops, about batch sizes, and about the closure of the latest
// call. Each has a test in virtual time.

private struct Span: Sendable {
  var number: Int
}

private struct Overload: Error {}

private struct Lookup: Sendable {
  let key: String
  let continuation: CheckedContinuation<String, any Error>
}

private enum Batches {
  static func makeLookups(
    on queue: some EventScheduler, answer: @escaping (ElementBatch<Lookup>) -> Void
  ) -> CoalescingCollector<Lookup> {
    let lookups = CoalescingCollector<Lookup>(
      on: queue, keeping: .newest(1000), onDrop: { $0.continuation.resume(throwing: Overload()) }
    ) { batch in
      answer(batch)
    }
    return lookups
  }

  static func makeSpans(
    on queue: some EventScheduler, export: @escaping (ElementBatch<Span>) -> Void
  ) -> CoalescingCollector<Span> {
    let spans = CoalescingCollector<Span>(
      on: queue, policy: .audit(.seconds(5)), keeping: .newest(2048), batchSize: 512
    ) { batch in
      export(batch)
    }
    return spans
  }

  actor Exporter {
    private let spans: BatchLoop<Span>

    init(on scheduler: some EventScheduler = .main) {
      spans = BatchLoop(
        on: scheduler, policy: .audit(.seconds(5)), keeping: .newest(2048), batchSize: 512,
        retry: .exponential(initial: .seconds(1)).maximum(.seconds(60)))
    }

    nonisolated func record(_ span: Span) { spans.add(span) }

    func run(export: @escaping @Sendable ([Span]) async throws -> Void) async throws {
      try await spans.run { batch in try await export(Array(batch)) }
    }
  }
}

@MainActor
final class SearchField {
  private let latest: LatestCall
  private let search: (String) -> Void

  init(on scheduler: some EventScheduler = .main, search: @escaping (String) -> Void) {
    latest = LatestCall(on: scheduler, policy: .debounce(.milliseconds(300)))
    self.search = search
  }

  func textDidChange(_ text: String) {
    latest.schedule { [weak self] in self?.search(text) }
  }
}

struct BatchSnippets {
  @MainActor
  @Test("Documentation: a search field searches for the latest text")
  func latestCall() {
    let scheduler = TestScheduler()
    let log = Log()
    let field = SearchField(on: scheduler) { log.add("\($0) at \(scheduler.milliseconds)") }
    field.textDidChange("s")
    scheduler.advance(by: .milliseconds(200))
    field.textDidChange("sw")
    scheduler.run()
    #expect(log.entries == ["sw at 500"])
  }

  @Test("Documentation: the caller of a dropped lookup gets an error")
  func lookups() throws {
    let scheduler = TestScheduler()
    let log = Log()
    try scheduler.run {
      let lookups = Batches.makeLookups(on: scheduler) { batch in
        for lookup in batch { lookup.continuation.resume(returning: "answer to \(lookup.key)") }
      }
      for key in 0...1000 {
        Task {
          do {
            _ = try await withCheckedThrowingContinuation {
              lookups.add(Lookup(key: "\(key)", continuation: $0))
            }
          } catch {
            log.add("\(key): \(error)")
          }
        }
      }
      try await scheduler.clock.sleep(for: .seconds(1))
    }
    #expect(log.entries == ["0: Overload()"])
  }

  @Test("Documentation: spans are exported when there are 512, or after five seconds")
  func spans() throws {
    let scheduler = TestScheduler()
    let log = Log()
    let spans = Batches.makeSpans(on: scheduler) { log.add("\($0.count) at \(scheduler.milliseconds)") }
    scheduler.at(1000) { spans.add(contentsOf: (0..<1030).map(Span.init)) }
    scheduler.run()
    #expect(log.entries == ["512 at 1000", "512 at 1000", "6 at 6000"])
  }

  @Test("Documentation: an exporter exports 512 spans, or after five seconds, and loses none by a failure")
  func exporter() throws {
    let scheduler = TestScheduler()
    let log = Log()
    try scheduler.run {
      let exporter = Batches.Exporter(on: scheduler)
      let host = Task {
        try await exporter.run { spans in
          log.add("\(spans[0].number), \(spans.count) at \(scheduler.milliseconds)")
          if log.entries.count == 1 { throw Overload() }
        }
      }
      try await scheduler.clock.sleep(for: .seconds(1))
      for number in 0..<600 { exporter.record(Span(number: number)) }
      try await scheduler.clock.sleep(for: .seconds(60))
      host.cancel()
    }
    #expect(log.entries == ["0, 512 at 1000", "0, 512 at 2000", "512, 88 at 2000"])
  }
}
