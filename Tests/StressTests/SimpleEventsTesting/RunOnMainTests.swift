import Observation
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// `runOnMain`: main-actor code in virtual time, as far as the main actor allows.
@MainActor struct RunOnMainTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  private final class Model {
    private let clock: SchedulerClock
    private(set) var title: String = ""
    let didChange: LazySimpleEvent

    init(_ scheduler: TestScheduler) {
      clock = scheduler.clock
      didChange = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(100)))
    }

    func reload() async throws {
      title = "loading"
      didChange.trigger()
      try await clock.sleep(for: .milliseconds(30))
      title = "loaded"
      didChange.trigger()
    }
  }

  @MainActor @Observable final class Theme {
    var font = "Mono"
  }

  private actor Renderer {
    func changes(
      of theme: Theme, on scheduler: TestScheduler, _ misuses: MisuseLog
    ) -> EventNotifications {
      ObservationEvent(on: scheduler, misuse: misuses.handler) { @MainActor in _ = theme.font }.notifications
    }
  }

  @Test("runOnMain: runs a main-actor model, its event and its sleeps in virtual time")
  func model() async throws {
    for _ in 0..<100 {
      let scheduler = TestScheduler()
      let model = Model(scheduler)
      let recorder = EventRecorder(model.didChange, on: scheduler)
      let title = try await scheduler.runOnMain {
        try await model.reload()
        return model.title
      }
      guard title == "loaded", scheduler.now == .ms(30), recorder.count == 0 else {
        Issue.record("\(title) at \(scheduler.now), \(recorder.times)")
        return
      }
      scheduler.run()
      guard recorder.milliseconds == [130] else {
        Issue.record("\(recorder.times)")
        return
      }
    }
  }

  @Test("runOnMain: tasks of the main actor and of the scheduler run in the order of their sleeps")
  func tasks() async throws {
    @MainActor @Sendable func sleep(_ delay: Int) async {
      try? await scheduler.clock.sleep(for: .milliseconds(delay))
      log.add("main \(delay) at \(scheduler.milliseconds)")
    }
    try await scheduler.runOnMain { [scheduler, log] in
      await withTaskGroup { group in
        for delay in [3, 1, 2] {
          group.addTask { await sleep(delay) }
          group.addTask { @concurrent in
            try? await scheduler.clock.sleep(for: .milliseconds(delay * 10))
            log.add("pool \(delay * 10) at \(scheduler.milliseconds)")
          }
        }
      }
    }
    #expect(
      log.entries == [
        "main 1 at 1", "main 2 at 2", "main 3 at 3", "pool 10 at 10", "pool 20 at 20", "pool 30 at 30",
      ])
  }

  @Test("runOnMain, S6: the scheduler belongs to the main actor, and not to a task off the main actor")
  func isCurrent() async throws {
    try await scheduler.runOnMain { [scheduler] in
      #expect(scheduler.isCurrent && !scheduler.isKnownElsewhere)
      await Task { @concurrent in
        #expect(!scheduler.isCurrent && scheduler.isKnownElsewhere)
      }.value
      #expect(scheduler.isCurrent)
    }
    await Task { @concurrent [scheduler] in
      #expect(scheduler.isCurrent)
    }.value
  }

  @Test("runOnMain, S6: an actor that a task enters elsewhere observes a main-actor model on the scheduler")
  func elsewhere() async throws {
    let (theme, renderer, misuses) = (Theme(), Renderer(), MisuseLog())
    for _ in 0..<100 {
      try await scheduler.runOnMain { [scheduler] in
        let changes = await Task { await renderer.changes(of: theme, on: scheduler, misuses) }.value
        theme.font += "!"
        for await _ in changes { break }
      }
    }
    #expect(misuses.kinds.isEmpty)
  }

  @Test("runOnMain: throws the error of the body")
  func error() async {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await scheduler.runOnMain { throw Failure() }
    }
  }

  @Test("runOnMain: a body that waits forever is cancelled, and throws")
  func stuck() async throws {
    let error = await #expect(throws: TestScheduler.StuckError.self) {
      try await scheduler.runOnMain(line: 7) { [scheduler, log] in
        try await scheduler.clock.sleep(for: .milliseconds(4))
        do {
          try await scheduler.clock.sleep(until: .distantFuture)
        } catch {
          log.add("cancelled")
        }
      }
    }
    #expect(error?.reason == .nothingPending)
    #expect(error?.instant == .ms(4))
    #expect(error?.run.line == 7)
    #expect(log.entries == ["cancelled"])
  }

  @Test("runOnMain: a body that always schedules more work reaches the limit")
  func limit() async throws {
    let error = await #expect(throws: TestScheduler.StuckError.self) {
      try await scheduler.runOnMain(limit: 100) { [scheduler] in
        while true {
          try await scheduler.clock.sleep(for: .milliseconds(1))
        }
      }
    }
    #expect(error?.reason == .limitReached(100))
  }

  @Test("runOnMain: cancelling the caller cancels the body")
  func cancellation() async throws {
    let task = Task { [scheduler, log] in
      try await scheduler.runOnMain {
        log.add("cancelled \(Task.isCancelled)")
        try await scheduler.clock.sleep(until: .distantFuture)
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.entries == ["cancelled true"])
  }

  @Test("runOnMain: a nested call is flagged, and throws")
  func nested() async throws {
    let misuses = MisuseLog()
    let scheduler = TestScheduler(misuse: misuses.handler)
    try await scheduler.runOnMain { [log] in
      do {
        try await scheduler.runOnMain { log.add("never") }
      } catch let error as TestScheduler.StuckError {
        log.add("\(error.reason)")
      }
    }
    #expect(log.entries == ["nested"])
    #expect(misuses.kinds == [.nestedAdvance])
  }
}
