import Dispatch
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the article "My test hangs or fails". The tests produce each error that the article names,
// and run each remedy. A line that ends in "hidden" is not part of the text.

private final class Model: Sendable {
  private let _didChange: LazySimpleEvent
  var didChange: any SimpleEventObservable & Sendable { _didChange }
  init(on scheduler: some EventScheduler = .main) {
    _didChange = LazySimpleEvent(on: scheduler, label: "model")
  }
  func change() { _didChange.trigger() }
}

struct StuckArticle {
  struct Poller {
    let clock: any Clock<Duration>

    init(clock: any Clock<Duration> = .continuous) { self.clock = clock }

    func poll() async throws {
      try await clock.sleep(for: .seconds(60))
    }
  }

  @Test func pollsAfterAMinute() throws {
    let scheduler = TestScheduler()
    let poller = Poller(clock: scheduler.clock)
    try scheduler.run { try await poller.poll() }
    #expect(scheduler.elapsed == .seconds(60))
  }

  @MainActor
  final class Preview {
    private(set) var renderings = 0
    private lazy var loop = RefreshLoop(on: scheduler, label: "preview") { @MainActor [weak self] in
      self?.renderings += 1
    }
    private let scheduler: TestScheduler

    init(on scheduler: TestScheduler) { self.scheduler = scheduler }

    func textDidChange() { loop.request() }
  }

  @MainActor @Test func rendersOnce() async throws {
    let scheduler = TestScheduler()
    let preview = Preview(on: scheduler)
    try await scheduler.runOnMain {
      preview.textDidChange()
      try await scheduler.clock.sleep(for: .seconds(1))
    }
    #expect(preview.renderings == 1)
  }

  struct Device {
    let queue: DispatchQueue

    func read() async -> Int {
      await withCheckedContinuation { continuation in
        queue.asyncAfter(deadline: .now() + .milliseconds(50)) { continuation.resume(returning: 7) }
      }
    }
  }

  @Test func readsTheDevice() throws {
    let scheduler = TestScheduler()
    let device = Device(queue: .global())
    let value = try scheduler.run(externalJobs: .awaited(upTo: .seconds(5))) {
      await device.read()
    }
    #expect(value == 7)
  }

  @Test func savesOnce() throws {
    let scheduler = TestScheduler()
    let recorder = EventRecorder(on: scheduler)
    let loop = RefreshLoop(on: scheduler, policy: .debounce(.seconds(1))) { recorder.record() }
    try scheduler.run {
      loop.request()
      await loop.settle()
    }
    #expect(recorder.times == [.seconds(1)])
  }

  @Test func readsTheNextValue() throws {
    let scheduler = TestScheduler()
    let box = SimpleMailbox<Int>()
    box.replace(7)
    try scheduler.run { () async throws in
      #expect(try await value(in: box) == 7)
    }
  }

  private func value(in box: SimpleMailbox<Int>) async throws -> Int? { await box.next() }
}

private func wait(_ semaphore: DispatchSemaphore) { _ = semaphore.waitOrGiveUp() }

struct StuckSnippets {
  private let scheduler: TestScheduler = TestScheduler()

  /// Returns the error of a body that does not end.
  private func stuck(limit: Int = 1_000_000, _ body: sending @escaping () async throws -> Void) throws
    -> TestScheduler.StuckError
  {
    do {
      try scheduler.run(limit: limit, body)
    } catch let error as TestScheduler.StuckError {
      return error
    }
    throw CancellationError()
  }

  @Test("Documentation: a sleep on a real clock makes a run stuck")
  func realClock() throws {
    let error = try stuck { try await StuckArticle.Poller().poll() }
    #expect(error.reason == .nothingPending)
    #expect(error.likelyCauses.contains("a sleep on a real clock: sleep on the scheduler's clock"))
  }

  @Test("Documentation: an event that was created without the scheduler is named", .enabled(if: isDebug))
  @MainActor func defaultScheduler() throws {
    let error = try stuck {
      let model = Model()
      let changes = model.didChange.notifications
      model.change()
      for await _ in changes { break }
    }
    print(error)
    #expect(error.likelyCauses.contains { $0.contains("is pending on the main queue") })
    #expect(error.pending.map(\.kind) == [.delivery, .wait])
  }

  @Test("Documentation: a body that waits for the main actor is stuck, with the remedy")
  @MainActor func mainActor() async throws {
    let error = try stuck { await MainActor.run {} }
    #expect(error.likelyCauses.contains { $0.hasPrefix("the body awaits the main actor") })
  }

  @Test("Documentation: a body that yields forever reaches the limit")
  func limit() throws {
    let error = try stuck(limit: 1000) {
      while !Task.isCancelled { await Task.yield() }
    }
    #expect(error.reason == .limitReached(1000))
  }

  @Test("Documentation: a main-actor body is flagged under advance", .enabled(if: isDebug))
  @MainActor func mainActorBody() {
    let misuses = MisuseLog()
    let loop = RefreshLoop(on: scheduler, misuse: misuses.handler) { @MainActor in }
    loop.request()
    scheduler.advance()
    #expect(misuses.kinds == [.mainActorBlocked])
    withExtendedLifetime(loop) {}
  }

  @Test("Documentation: an advance and a run inside work are flagged", .enabled(if: isDebug))
  func nested() {
    let misuses = MisuseLog()
    let scheduler = TestScheduler(misuse: misuses.handler)
    let model = Model(on: scheduler)
    let token = model.didChange.addObserver { _ in
      scheduler.advance(by: .seconds(1))
      #expect(throws: TestScheduler.StuckError.self) { try scheduler.run {} }
    }
    model.change()
    scheduler.advance()
    #expect(misuses.kinds == [.nestedAdvance, .nestedAdvance])
    withExtendedLifetime(token) {}
  }

  @Test("Documentation: a job from another thread is flagged", .enabled(if: isDebug))
  func externalJob() throws {
    let misuses = MisuseLog()
    let scheduler = TestScheduler(misuse: misuses.handler)
    let isResumed = DispatchSemaphore(value: 0)
    try scheduler.run {
      let (readings, device) = AsyncStream.makeStream(of: Int.self)
      Task(executorPreference: scheduler) { for await _ in readings { break } }
      try await scheduler.clock.sleep(for: .seconds(1))
      DispatchQueue.global().async {
        device.yield(7)
        isResumed.signal()
      }
      wait(isResumed)
    }
    #expect(misuses.kinds == [.externalJob])
    scheduler.advance()
  }

  @Test(
    "Documentation: an event that its observer triggers reaches the limit of an advance",
    .enabled(if: isDebug))
  func feedback() {
    let misuses = MisuseLog()
    let scheduler = TestScheduler(misuse: misuses.handler)
    let model = Model(on: scheduler)
    let token = model.didChange.addObserver { _ in model.change() }
    model.change()
    scheduler.advance(limit: 100)
    #expect(misuses.kinds == [.advanceLimitReached])
    withExtendedLifetime(token) {}
  }

  @Test("Documentation: a recorder records while its event is alive; a lost token records nothing")
  func recorder() {
    let log = Log()
    let model = Model(on: scheduler)
    let recorder = EventRecorder(model.didChange, on: scheduler)
    _ = model.didChange.addObserver { _ in log.add("lost") }
    model.change()
    #expect(recorder.count == 0)  // no time has passed
    scheduler.advance()
    #expect(recorder.count == 1)
    #expect(log.entries == [])
  }
}
