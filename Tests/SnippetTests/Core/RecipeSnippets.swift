import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

// The snippets of the article "Recipes", each with a test in virtual time.

private enum Recipes {
  @MainActor
  final class Canvas {
    private let dirtyLines: CoalescingCollector<ClosedRange<Int>>

    init(on scheduler: some EventScheduler = .main, redraw: @escaping (ClosedRange<Int>) -> Void) {
      dirtyLines = CoalescingCollector(
        on: scheduler, policy: .debounce(.milliseconds(50), maxWait: .milliseconds(200)),
        keeping: .combined { min($0.lowerBound, $1.lowerBound)...max($0.upperBound, $1.upperBound) }
      ) { batch in
        redraw(batch[0])
      }
    }

    func invalidate(_ lines: ClosedRange<Int>) { dirtyLines.add(lines) }
  }

  final class Transfer: Sendable {
    private let received = Atomic(0)
    private let _didProgress: LazySimpleEvent
    var didProgress: any SimpleEventObservable & Sendable { _didProgress }
    var byteCount: Int { received.load(ordering: .relaxed) }

    init(on scheduler: some EventScheduler = .main) {
      _didProgress = LazySimpleEvent(on: scheduler, policy: .throttle(.milliseconds(100)))
    }

    func receive(_ count: Int) {
      received.add(count, ordering: .relaxed)
      _didProgress.trigger()
    }
  }

  @MainActor
  final class Draft {
    var text = "" { didSet { saving.request() } }
    private let save: @MainActor (String) async throws -> Void
    private let scheduler: any EventScheduler
    private lazy var saving = makeLoop(on: scheduler)

    init(
      on scheduler: some EventScheduler = .main, save: @escaping @MainActor (String) async throws -> Void
    ) {
      self.scheduler = scheduler
      self.save = save
    }

    private func makeLoop(on scheduler: some EventScheduler) -> RefreshLoop {
      RefreshLoop(on: scheduler, policy: .throttle(.seconds(1))) { [weak self] in
        try await self?.saveText()
      } onError: { error in
        print("The draft is not saved: \(error)")
      }
    }

    private func saveText() async throws { try await save(text) }

    func close() async { await saving.finish() }
  }

  @MainActor
  final class SearchField {
    var query = "" { didSet { searching.request() } }
    private(set) var results: [String] = []
    private let find: @MainActor (String) async throws -> [String]
    private let scheduler: any EventScheduler
    private lazy var searching = makeLoop(on: scheduler)

    init(
      on scheduler: some EventScheduler = .main, find: @escaping @MainActor (String) async throws -> [String]
    ) {
      self.scheduler = scheduler
      self.find = find
    }

    private func makeLoop(on scheduler: some EventScheduler) -> RefreshLoop {
      RefreshLoop(on: scheduler, policy: .debounce(.milliseconds(300)), whenBusy: .restart) { [weak self] in
        try await self?.search()
      } onError: { error in
        print("The search has failed: \(error)")
      }
    }

    private func search() async throws {
      let found = try await find(query)
      try Task.checkCancellation()  // the answer to an old query
      results = found
    }
  }

  actor Publisher {
    private let messages: BatchLoop<String>
    private let clock: SchedulerClock

    init(on scheduler: some EventScheduler = .main) {
      clock = SchedulerClock(scheduler)
      messages = BatchLoop(
        on: scheduler, keeping: .newest(1000),
        retry: .exponential(initial: .seconds(1)).maximum(.seconds(60)))
    }

    nonisolated func publish(_ message: String) { messages.add(message) }

    func run(post: @escaping @Sendable ([String]) async throws -> Void) async throws {
      try await messages.run { [clock] batch in
        try await post(Array(batch))
        try? await clock.sleep(for: .seconds(1))  // the pause between two requests
      }
    }
  }

  @MainActor
  final class Reloader {
    private let reloads: KeyedCallback<String>

    init(on scheduler: some EventScheduler = .main, reload: @escaping @MainActor (String) -> Void) {
      reloads = KeyedCallback(on: scheduler, policy: .debounce(.milliseconds(200), maxWait: .seconds(2))) {
        path in reload(path)
      }
    }

    func fileDidChange(_ path: String) { reloads.schedule(path) }
  }
}

@MainActor
struct RecipeSnippets {
  private let scheduler: TestScheduler = TestScheduler()
  private let log: Log = Log()

  @Test("Documentation: a canvas redraws the combined lines once")
  func combined() {
    let canvas = Recipes.Canvas(on: scheduler) { [log] in log.add("\($0)") }
    canvas.invalidate(8...9)
    canvas.invalidate(1...2)
    scheduler.advance(by: .milliseconds(50))
    canvas.invalidate(4...4)
    scheduler.advance(by: .milliseconds(50))
    #expect(log.entries == ["1...9", "4...4"])
  }

  @Test("Documentation: progress is shown ten times a second, and at the end")
  func progress() {
    let transfer = Recipes.Transfer(on: scheduler)
    let recorder = EventRecorder(transfer.didProgress, on: scheduler)
    for _ in 0..<95 {
      transfer.receive(1000)
      scheduler.advance(by: .milliseconds(10))
    }
    scheduler.advance(by: .seconds(1))
    #expect(recorder.times == (0...10).map { .milliseconds(100 * $0) })
    #expect(transfer.byteCount == 95_000)
  }

  @Test("Documentation: a draft is saved once a second, and when it is closed")
  func save() async throws {
    let (scheduler, log) = (scheduler, log)
    let draft = Recipes.Draft(on: scheduler) { log.add("\($0) at \(scheduler.milliseconds)") }
    try await scheduler.runOnMain {
      for letter in "abc" {
        draft.text.append(letter)
        try await scheduler.clock.sleep(for: .milliseconds(200))
      }
      try await scheduler.clock.sleep(for: .milliseconds(900))
      draft.text.append("d")
      await draft.close()
    }
    #expect(log.entries == ["a at 0", "abc at 1000", "abcd at 1500"])
  }

  @Test("Documentation: a search shows only the answer to the latest query")
  func typeAhead() async throws {
    let (scheduler, log) = (scheduler, log)
    let field = Recipes.SearchField(on: scheduler) { query in
      log.add("\(query) at \(scheduler.milliseconds)")
      try await scheduler.clock.sleep(for: .seconds(1))
      return [query]
    }
    try await scheduler.runOnMain {
      field.query = "a"
      try await scheduler.clock.sleep(for: .milliseconds(600))
      field.query = "ab"
      try await scheduler.clock.sleep(for: .milliseconds(1200))
      #expect(field.results == [])
      try await scheduler.clock.sleep(for: .seconds(1))
    }
    #expect(field.results == ["ab"])
    #expect(log.entries == ["a at 300", "ab at 900"])
  }

  @Test("Documentation: a publisher posts once a second, and loses no message")
  func rateLimit() throws {
    let (scheduler, log) = (scheduler, log)
    try scheduler.run {
      let publisher = Recipes.Publisher(on: scheduler)
      let publishing = Task {
        try await publisher.run { log.add("\($0) at \(scheduler.milliseconds)") }
      }
      for message in ["a", "b", "c"] {
        publisher.publish(message)
        try await scheduler.clock.sleep(for: .milliseconds(100))
      }
      try await scheduler.clock.sleep(for: .milliseconds(2200))
      publisher.publish("d")
      try await scheduler.clock.sleep(for: .seconds(5))
      publishing.cancel()
      try await publishing.value
    }
    #expect(log.entries == ["[\"a\"] at 0", "[\"b\", \"c\"] at 1000", "[\"d\"] at 2500"])
  }

  @Test("Documentation: each file has a window of its own")
  func keys() {
    let (scheduler, log) = (scheduler, log)
    let reloader = Recipes.Reloader(on: scheduler) { log.add("\($0) at \(scheduler.milliseconds)") }
    reloader.fileDidChange("a")
    scheduler.advance(by: .milliseconds(150))
    reloader.fileDidChange("a")
    reloader.fileDidChange("b")
    scheduler.advance(by: .milliseconds(100))
    reloader.fileDidChange("b")
    scheduler.advance(by: .seconds(1))
    reloader.fileDidChange("a")
    scheduler.advance(by: .seconds(1))
    #expect(log.entries == ["a at 350", "b at 450", "a at 1450"])
  }
}
