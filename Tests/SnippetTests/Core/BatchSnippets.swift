import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

// The snippet about the elements that a collector drops, with a test in virtual time.

private struct Overload: Error {}

private struct Lookup: Sendable {
  let key: String
  let continuation: CheckedContinuation<String, any Error>
}

private enum Batches {
  static func makeLookups(
    on queue: some EventScheduler, answer: @escaping (CollectorBatch<Lookup>) -> Void
  ) -> CoalescingCollector<Lookup> {
    let lookups = CoalescingCollector<Lookup>(
      on: queue, keeping: .newest(1000), onDrop: { $0.continuation.resume(throwing: Overload()) }
    ) { batch in
      answer(batch)
    }
    return lookups
  }
}

struct BatchSnippets {
  @Test("Documentation: a lookup that is dropped is answered with an error")
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
}
