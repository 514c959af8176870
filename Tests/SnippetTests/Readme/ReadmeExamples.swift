import Observation
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the README, and tests of its statements about them.

@MainActor
struct ReadmeExamples {
  @MainActor
  final class Document {
    private let _didChange: LazySimpleEvent
    nonisolated var didChange: any SimpleEventObservable & Sendable { _didChange }
    var title = "" { didSet { _didChange.trigger(if: title != oldValue) } }

    // By default on the main queue, once per turn.
    init(on scheduler: some EventScheduler = .main) { _didChange = LazySimpleEvent(on: scheduler) }
  }

  /// Runs the first snippet. The caller must keep the token.
  private func changeDocument(_ print: @escaping (String) -> Void) -> (any SimpleEventToken)? {
    let document = Document()
    var token: (any SimpleEventToken)?
    document.didChange.addObserver(&token) { _ in print(document.title) }
    document.title = "Draft"
    document.title = "Letter"  // prints "Letter" on the next turn
    return token
  }

  @MainActor @Test func notifiesOncePerTurn() {
    let scheduler = TestScheduler()
    let document = Document(on: scheduler)
    let recorder = EventRecorder(document.didChange, on: scheduler)
    document.title = "Draft"
    document.title = "Letter"
    scheduler.advance()
    #expect(recorder.count == 1)
  }

  actor Index {
    private let loop: RefreshLoop
    private let rebuild: @Sendable () async throws -> Void

    init(on scheduler: some EventScheduler = .main, rebuild: @escaping @Sendable () async throws -> Void) {
      loop = RefreshLoop(on: scheduler, policy: .debounce(.milliseconds(200), maxWait: .seconds(2)))
      self.rebuild = rebuild
    }

    nonisolated func fileDidChange() { loop.request() }
    func run() async throws { try await loop.run { try await self.rebuild() } }
  }

  @MainActor @Observable
  final class Settings {
    var font = "Mono"
    var size = 12
  }

  @MainActor
  func saveChanges(of settings: Settings, to save: (String, Int) async -> Void) async {
    let didChange = ObservationEvent(policy: .throttle(.seconds(1))) { _ = (settings.font, settings.size) }
    for await _ in didChange.notifications {
      await save(settings.font, settings.size)
    }
  }

  @Test func rebuildsOnceAfterPause() throws {
    let scheduler = TestScheduler()
    let recorder = EventRecorder(on: scheduler)
    try scheduler.run {
      let index = Index(on: scheduler) { recorder.record() }
      let host = Task { try await index.run() }
      index.fileDidChange()
      try await scheduler.clock.sleep(for: .milliseconds(150))
      index.fileDidChange()
      try await scheduler.clock.sleep(for: .seconds(60))
      host.cancel()
    }
    #expect(recorder.times == [.milliseconds(350)])
  }

  @Test("README: two changes of a document print the newest title once, on the next turn")
  func document() async {
    let log = Log()
    let token = changeDocument { log.add($0) }
    #expect(log.entries == [])
    await mainQueueTurn()
    #expect(log.entries == ["Letter"])
    withExtendedLifetime(token) {}
  }

  @Test("README: a changed setting is saved")
  func settings() async {
    let settings = Settings()
    let (saves, continuation) = AsyncStream.makeStream(of: String.self)
    let saving = Task {
      await saveChanges(of: settings) { font, size in continuation.yield("\(font) \(size)") }
    }
    await mainQueueTurn()  // The main queue is first in, first out: the task has begun to wait.
    settings.font = "Serif"
    settings.size = 14
    for await saved in saves {
      #expect(saved == "Serif 14")
      break
    }
    saving.cancel()
  }
}
