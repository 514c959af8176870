import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the documentation of loops, actors and clocks. A line that ends in "hidden" is not part of the text.

private enum Symbols {
  actor Index {
    private lazy var loop = RefreshLoop(
      on: .actor(self), policy: .throttle(.milliseconds(100))
    ) { [weak self] in
      try await self?.rebuild()
    } onError: { error in
      print("the index is out of date: \(error)")
    }
    func update() { loop.request() }
    private func rebuild() async throws {}
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
    private let given: (any EventScheduler)?
    private var scheduler: any EventScheduler { given ?? .actor(self) }
    private lazy var loop = RefreshLoop(
      on: scheduler, policy: .debounce(.milliseconds(200), maxWait: .seconds(2)), label: "index"
    ) { [weak self] in
      try await self?.rebuild()
    } onError: { error in
      print("The index is out of date: \(error)")
    }

    init(on scheduler: (any EventScheduler)? = nil) { given = scheduler }

    func start(observing changes: any SimpleEventObservable & Sendable) {
      loop.observe(changes)
      loop.request()
    }

    func stop() async {
      await loop.settle()
      await loop.stop()
    }

    private func rebuild() async throws {
      entries = try await Self.readDirectory()
      runs += 1  // hidden
    }

    private nonisolated static func readDirectory() async throws -> [String] { [] }

    private(set) var runs = 0  // hidden
  }
}

func shutDown(_ loop: RefreshLoop) async {
  loop.request()
  await loop.settle()
  await loop.stop()
}

@Suite struct LoopSnippets {
  @Test("Documentation: an index has run before it stops")
  func index() async {
    let index = Article.Index()
    let event = LazySimpleEvent(on: TestScheduler())
    await index.start(observing: event)
    await index.stop()
    #expect(await index.runs >= 1)
  }

  @Test("Documentation: an index runs in the time of a test")
  func indexInVirtualTime() throws {
    let scheduler = TestScheduler()
    let runs = try scheduler.run {
      let index = Article.Index(on: scheduler)
      let event = LazySimpleEvent(on: scheduler)
      await index.start(observing: event)
      event.trigger()
      try await scheduler.clock.sleep(for: .seconds(1))
      return await index.runs
    }
    #expect(runs == 1)
  }

  @Test("Documentation: a loop runs once more before it shuts down")
  func shutsDown() throws {
    let scheduler = TestScheduler()
    let log = Log()
    let loop = RefreshLoop(on: scheduler) { log.add("run") }
    try scheduler.run { await shutDown(loop) }
    #expect(log.entries == ["run"])
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
