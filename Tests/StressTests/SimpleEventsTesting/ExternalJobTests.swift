import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// S4: a run that forbids jobs of other threads does not run them, so the result does not depend on the speed
/// of the threads.
struct ExternalJobTests {
  @MainActor private static func answer() -> Int { 42 }

  /// Code of the main actor that a body awaits.
  enum Call: CaseIterable {
    case run
    case function
    case childTask
    case sleep

    func perform(on clock: SchedulerClock) async throws -> Int {
      switch self {
      case .run: return await MainActor.run { 42 }
      case .function: return await ExternalJobTests.answer()
      case .childTask:
        async let answer = ExternalJobTests.answer()
        return await answer
      case .sleep:
        try await clock.sleep(for: .seconds(1))
        return await ExternalJobTests.answer()
      }
    }
  }

  @Test(
    "S4: a body that awaits the main actor is always stuck, with the same message", arguments: Call.allCases)
  func stuck(_ call: Call) {
    var outcomes: [String: Int] = [:]
    for _ in 0..<250 {
      let misuses = MisuseLog()
      let scheduler = TestScheduler(misuse: misuses.handler)
      let outcome: String
      do {
        outcome = "\(try scheduler.run { try await call.perform(on: scheduler.clock) })"
      } catch {
        outcome =
          (error as? TestScheduler.StuckError).map { "\($0.reason), \($0.instant), \($0.likelyCauses)" }
          ?? "\(error)"
      }
      // The main actor answers, and the body ends.
      DispatchQueue.main.sync {}
      scheduler.advance()
      outcomes["\(outcome), \(scheduler.pendingCount), \(misuses.kinds)", default: 0] += 1
    }
    #expect(outcomes.values.sorted() == [250], "\(outcomes)")
    let instant = call == .sleep ? "1.0 seconds" : "0.0 seconds"
    let outcome = outcomes.keys.first ?? ""
    let cause = "the body awaits a job from outside of the scheduler, which this run does not accept"
    #expect(outcome.hasPrefix("nothingPending, \(instant), [\"\(cause)"))
    #expect(outcome.contains("runOnMain") && outcome.contains("run(externalJobs: .awaited(upTo: …))"))
    #expect(outcome.hasSuffix(", 0, []"))
  }

  @Test("S4: a job that another thread enqueues is set aside, and runs with the entries after the run")
  func setAside() throws {
    for _ in 0..<250 {
      let misuses = MisuseLog()
      let scheduler = TestScheduler(label: "clock", misuse: misuses.handler)
      let log = Log()
      let answer = try scheduler.run {
        Task(executorPreference: scheduler) {
          await withCheckedContinuation { continuation in
            scheduler.schedule {
              onThreads(1) { _ in continuation.resume() }
            }
          }
          log.add("resumed at \(scheduler.milliseconds)")
        }
        try await scheduler.clock.sleep(for: .milliseconds(5))
        log.add("body")
        return 4
      }
      #expect(answer == 4)
      #expect(log.entries == ["body"])
      #expect(misuses.kinds == [.externalJob])
      #expect(
        misuses.messages.first?.contains("\"clock\"") == true
          && misuses.messages.first?.contains("awaited") == true)
      #expect(misuses.all.first?.fileID == "SimpleEventsTestingStressTests/ExternalJobTests.swift")
      #expect(scheduler.pendingCount == 1)
      scheduler.advance()
      #expect(log.entries == ["body", "resumed at 5"])
      guard misuses.kinds == [.externalJob] && log.entries.count == 2 else { return }
    }
  }

  @Test("S4: the message contains the number of jobs that were set aside")
  func count() throws {
    let misuses = MisuseLog()
    let scheduler = TestScheduler(misuse: misuses.handler)
    try scheduler.run {
      for _ in 0..<3 {
        Task(executorPreference: scheduler) {
          await withCheckedContinuation { continuation in
            scheduler.schedule {
              onThreads(1) { _ in continuation.resume() }
            }
          }
        }
      }
      await Task.yield()
    }
    #expect(misuses.messages.map { $0.hasPrefix("3 jobs of tasks came to ") } == [true])
    scheduler.advance()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("S4: after its cancellation, a run that gives up runs the jobs that were set aside, and flags none")
  func givenUp() throws {
    let misuses = MisuseLog()
    let scheduler = TestScheduler(misuse: misuses.handler)
    let log = Log()
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        await withCheckedContinuation { continuation in
          scheduler.schedule {
            onThreads(1) { _ in continuation.resume() }
          }
        }
        log.add("cancelled \(Task.isCancelled)")
      }
    }
    #expect(error?.reason == .nothingPending)
    #expect(log.entries == ["cancelled true"])
    #expect(scheduler.pendingCount == 0)
    #expect(misuses.kinds == [])
  }

  @Test("S4: a job of another thread does not hold up time, and comes after the work of the run")
  func order() throws {
    let misuses = MisuseLog()
    let scheduler = TestScheduler(misuse: misuses.handler)
    let log = Log()
    try scheduler.run {
      onThreads(1) { _ in
        Task(executorPreference: scheduler) { log.add("outside at \(scheduler.milliseconds)") }
      }
      Task { log.add("inside at \(scheduler.milliseconds)") }
      try await scheduler.clock.sleep(for: .milliseconds(3))
      log.add("body at \(scheduler.milliseconds)")
    }
    try scheduler.run { log.add("next run") }
    #expect(log.entries == ["inside at 0", "body at 3", "outside at 3", "next run"])
    #expect(misuses.kinds == [.externalJob])
  }

  @Test("S4: jobs that were set aside run in the order in which they were enqueued")
  func orderOfSetAside() throws {
    let misuses = MisuseLog()
    let scheduler = TestScheduler(misuse: misuses.handler)
    let log = Log()
    try scheduler.run {
      onThreads(1) { _ in
        for number in 0..<3 { Task(executorPreference: scheduler) { log.add("\(number)") } }
      }
    }
    #expect(log.entries == [])
    scheduler.advance()
    #expect(log.entries == ["0", "1", "2"])
    #expect(misuses.kinds == [.externalJob])
  }
}
