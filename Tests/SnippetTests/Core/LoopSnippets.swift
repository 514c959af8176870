import Dispatch
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the documentation of loops, actors and clocks. A line that ends in "hidden" is not part of
// the text.

private enum Symbols {
  actor Journal {
    private let lines = BatchLoop<String>(keeping: .unlimited, label: "journal")
    nonisolated func add(_ line: String) { lines.add(line) }
    func run() async throws {
      try await lines.run { batch in try await self.write(batch) }
    }
    private func write(_ lines: ElementBatch<String>) async throws {}
  }

  actor Index {
    private let loop = RefreshLoop(policy: .debounce(.milliseconds(200)), label: "index")
    nonisolated func changed() { loop.request() }
    func run() async throws {
      try await loop.run { try await self.rebuild() }
    }
    private func rebuild() async throws {}
  }

  static func owned(reload: @escaping @Sendable () async throws -> Void) -> RefreshLoop {
    let loop = RefreshLoop(on: .main, policy: .throttle(.milliseconds(100))) {
      try await reload()
    } onError: { error in
      print("out of date: \(error)")
    }
    return loop  // hidden
  }

  static func retrying(on queue: DispatchQueue, upload: @escaping @Sendable () async throws -> Void)
    -> RefreshLoop
  {
    let loop = RefreshLoop(
      on: queue, retry: .exponential(initial: .seconds(1)).maximum(.seconds(60)).fullJitter()
    ) {
      try await upload()
    } onError: { error in
      print(error)
    }
    return loop  // hidden
  }
}

private enum Batches {
  struct Change: Sendable {}
  actor Store {
    func save(_ changes: ElementBatch<Change>) throws {}
  }

  static func owned(on queue: DispatchQueue, store: Store, change: Change) -> BatchLoop<Change> {
    let changes = BatchLoop<Change>(
      on: queue, policy: .debounce(.seconds(1), maxWait: .seconds(10)), keeping: .newest(10_000),
      retry: .exponential(initial: .seconds(1)).maximum(.seconds(60)), label: "changes"
    ) { batch in
      try await store.save(batch)
    } onError: { error, batch in
      print("\(batch.count) changes are not saved: \(error)")
    }
    changes.add(change)
    return changes  // hidden
  }

  actor Journal {
    private var lines: [String] = []
    private let queue: BatchLoop<String>

    init(on scheduler: some EventScheduler = .main) {
      queue = BatchLoop(
        on: scheduler, policy: .debounce(.seconds(1), maxWait: .seconds(10)), keeping: .newest(10_000),
        retry: .exponential(initial: .seconds(1)).maximum(.seconds(60)), label: "journal")
    }

    nonisolated func add(_ line: String) { queue.add(line) }

    func run() async throws {
      try await queue.run { batch in try await self.write(batch) }
    }

    nonisolated func finish() async { await queue.finish() }

    private func write(_ batch: ElementBatch<String>) async throws {
      if batch.droppedCount > 0 { lines.append("(\(batch.droppedCount) lines are missing)") }
      lines += batch
    }

    var written: [String] { lines }  // hidden
  }
}

private enum Actors {
  actor Index {
    private lazy var didChange = LazySimpleEvent(on: .actor(self))
  }
}

private enum Article {
  actor Index {
    private var entries: [String] = []
    private let loop: RefreshLoop

    init(on scheduler: some EventScheduler = .main) {
      loop = RefreshLoop(
        on: scheduler, policy: .debounce(.milliseconds(200), maxWait: .seconds(2)),
        retry: .exponential(initial: .seconds(1)).maximum(.seconds(60)), label: "index")
    }

    nonisolated func changed() { loop.request() }

    func run() async {
      await loop.run {
        try await self.rebuild()
      } onError: { error in
        print("The index is out of date: \(error)")
      }
    }

    nonisolated func finish() async { await loop.finish() }

    private func rebuild() async throws {
      entries = try await Self.readDirectory()
      runs += 1  // hidden
    }

    private nonisolated static func readDirectory() async throws -> [String] { [] }

    private(set) var runs = 0  // hidden
  }
}

struct LoopSnippets {
  @Test("Documentation: an index makes the pending run before it ends")
  func index() async {
    let index = Article.Index()
    let indexing = Task { await index.run() }
    index.changed()
    // There may be no host yet. In that case the next host makes the last run.
    await index.finish()
    await indexing.value
    #expect(await index.runs == 1)
  }

  @Test("Documentation: an index runs in virtual time")
  func indexInVirtualTime() throws {
    let scheduler = TestScheduler()
    let runs = try scheduler.run {
      let index = Article.Index(on: scheduler)
      let indexing = Task { await index.run() }
      index.changed()
      try await scheduler.clock.sleep(for: .seconds(1))
      indexing.cancel()
      await indexing.value
      return await index.runs
    }
    #expect(runs == 1)
  }

  @Test("Documentation: a journal writes the queued lines before it ends")
  func journal() throws {
    let scheduler = TestScheduler()
    let lines = try scheduler.run {
      let journal = Batches.Journal(on: scheduler)
      let writing = Task { try await journal.run() }
      journal.add("one")
      journal.add("two")
      try await scheduler.clock.sleep(for: .seconds(2))
      journal.add("three")
      await journal.finish()
      try await writing.value
      return await journal.written
    }
    #expect(lines == ["one", "two", "three"])
    #expect(scheduler.elapsed == .seconds(2))
  }

  @Test("Documentation: a backoff ends the retries of a permanent error")
  func customBackoff() throws {
    struct PermanentError: Error {}
    struct PassingError: Error {}

    let retry = Backoff.custom { failures, error in
      error is PermanentError ? nil : .seconds(failures)
    }
    .maximum(.seconds(60))

    let (scheduler, log) = (TestScheduler(), Log())
    try scheduler.run { [scheduler, log] in
      let loop = RefreshLoop(on: scheduler, retry: retry) {
        log.add("\(scheduler.milliseconds)")
        if log.entries.count < 3 { throw PassingError() }
        throw PermanentError()
      } onError: { _ in
      }
      loop.request()
      await loop.settle()
    }
    #expect(log.entries == ["0", "1000", "3000"])
    #expect(scheduler.elapsed == .seconds(3))
  }

  @Test("Documentation: a retry waits for five seconds")
  func retry() throws {
    func retry(on clock: SchedulerClock) async throws {
      try await clock.sleep(for: .seconds(5))
    }
    func program() async throws {  // hidden
      try await retry(on: SchedulerClock(.global()))
    }  // hidden

    let scheduler = TestScheduler()
    try scheduler.run { try await retry(on: scheduler.clock) }
    #expect(scheduler.elapsed == .seconds(5))
  }
}
