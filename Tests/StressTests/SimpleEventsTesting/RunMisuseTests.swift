import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// S3, S4: misuse of a run is flagged. A release build continues and does not hang.
struct RunMisuseTests {
  private let misuses: MisuseLog
  private let scheduler: TestScheduler
  private let log = Log()

  init() {
    let misuses = MisuseLog()
    self.misuses = misuses
    scheduler = TestScheduler(label: "clock", misuse: misuses.handler)
  }

  @Test("S4: a run inside a run is flagged, and throws")
  func runInsideRun() throws {
    let result = try scheduler.run { [scheduler, log] in
      do {
        try scheduler.run { log.add("never") }
      } catch let error as TestScheduler.StuckError {
        log.add("\(error.reason)")
      }
      return 5
    }
    #expect(result == 5)
    #expect(log.entries == ["nested"])
    #expect(misuses.kinds == [.nestedAdvance])
    let message = try #require(misuses.messages.first)
    #expect(message.contains("\"clock\"") && message.contains("RunMisuseTests.swift:"), "\(message)")
  }

  @Test("S4: advance inside a run is flagged, and does nothing")
  func advanceInsideRun() throws {
    try scheduler.run { [scheduler, log] in
      scheduler.at(1) { log.add("work") }
      scheduler.advance(by: .seconds(1))
      log.add("body at \(scheduler.milliseconds)")
      #expect(scheduler.run() == 0)
    }
    #expect(log.entries == ["body at 0"])
    #expect(misuses.kinds == [.nestedAdvance, .nestedAdvance])
  }

  @Test("S4: a job of another thread is flagged during a run, and not between two runs")
  func jobAfterRun() throws {
    try scheduler.run { [log] in log.add("body") }
    onThreads(1) { [scheduler, log] _ in
      Task(executorPreference: scheduler) { log.add("job") }
    }
    try scheduler.run { [log] in log.add("second body") }
    #expect(log.entries == ["body", "job", "second body"])
    #expect(misuses.kinds == [])
    try scheduler.run { [scheduler] in
      onThreads(1) { _ in
        Task(executorPreference: scheduler) {}
      }
    }
    #expect(misuses.kinds == [.externalJob])
    // The job that was set aside runs now, so that its task ends.
    scheduler.advance()
  }

  @Test("S4: a run inside work that advance runs is flagged, and throws")
  func runInsideAdvance() {
    scheduler.schedule { [scheduler, log] in
      #expect(throws: TestScheduler.StuckError.self) {
        try scheduler.run { log.add("never") }
      }
    }
    scheduler.advance()
    #expect(log.entries == [])
    #expect(misuses.kinds == [.nestedAdvance])
  }

  @Test("S4: a job from another thread is not flagged between runs, nor in a run that awaits such jobs")
  func allowedForeignJobs() throws {
    onThreads(1) { [scheduler, log] _ in
      Task(executorPreference: scheduler) { log.add("before") }
    }
    try scheduler.run(externalJobs: .awaited(upTo: .seconds(20))) { [scheduler, log] in
      await withCheckedContinuation { continuation in
        scheduler.schedule {
          onThreads(1) { _ in continuation.resume() }
        }
      }
      log.add("body")
    }
    #expect(log.entries == ["before", "body"])
    #expect(misuses.messages == [])
  }

  @Test("S4: work that another thread schedules during a run is not flagged")
  func foreignWork() throws {
    try scheduler.run { [scheduler, log] in
      onThreads(1) { _ in
        scheduler.schedule { log.add("work") }
      }
      await Task.yield()
      log.add("body")
    }
    #expect(log.entries == ["work", "body"])
    #expect(misuses.messages == [])
  }

  @Test("S4: the misuse of a run is reported to withMisuseReported")
  func reported() throws {
    let scheduler = TestScheduler()
    try withMisuseReported { [log] misuse in
      log.add("\(misuse.kind)")
    } operation: {
      try scheduler.run {
        Task(executorPreference: scheduler) {
          await withCheckedContinuation { continuation in
            scheduler.schedule {
              onThreads(1) { _ in continuation.resume() }
            }
          }
        }
        await Task.yield()
        try? scheduler.run {}
      }
    }
    #expect(log.entries == (isDebug ? ["nestedAdvance", "externalJob"] : []))
    // This runs the remaining jobs, so that the task ends.
    scheduler.advance()
  }
}
