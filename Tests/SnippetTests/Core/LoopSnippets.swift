import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the documentation of loops, actors and clocks. A line that ends in "hidden" is not part of
// the text.

private enum Symbols {
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

@Suite struct LoopSnippets {
  @Test("Documentation: an index runs what is pending before it ends")
  func index() async {
    let index = Article.Index()
    let indexing = Task { await index.run() }
    index.changed()
    // There may be no host yet: then the host that comes makes the last run.
    await index.finish()
    await indexing.value
    #expect(await index.runs == 1)
  }

  @Test("Documentation: an index runs in the time of a test")
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

  @Test("Documentation: a retry waits for five seconds")
  func retry() throws {
    func retry(on clock: SchedulerClock) async throws {
      try await clock.sleep(for: .seconds(5))
    }
    func program() async throws {  // hidden
      try await retry(on: SchedulerClock(DispatchQueue.global()))
    }  // hidden

    let scheduler = TestScheduler()
    try scheduler.run { try await retry(on: scheduler.clock) }
    #expect(scheduler.elapsed == .seconds(5))
  }
}
