import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// S4: a run ends with its body, or states why it cannot end.
struct RunTests {
  private let scheduler = TestScheduler()

  private struct Failure: Error, Equatable {}

  @Test("S4: run returns the result of the body, and time has passed")
  func result() throws {
    let result = try scheduler.run { [scheduler] in
      try await scheduler.clock.sleep(for: .seconds(3600))
      return "done"
    }
    #expect(result == "done")
    #expect(scheduler.now == .ms(3_600_000))
    #expect(scheduler.pendingCount == 0)
  }

  @Test("S4: run throws the error of the body")
  func error() {
    #expect(throws: Failure()) {
      try scheduler.run { throw Failure() }
    }
  }

  @Test("S4: the result need not be Sendable")
  func resultOfAnyType() throws {
    final class Box { var value: Int = 3 }
    let box = try scheduler.run {
      await Task.yield()
      return Box()
    }
    #expect(box.value == 3)
  }

  @Test("S4: task-local values of the caller are visible in the body")
  func taskLocals() throws {
    let log = Log()
    try withMisuseReported { misuse in
      log.add("\(misuse.kind)")
    } operation: {
      try scheduler.run { [scheduler] in
        await Task { scheduler.advance() }.value
      }
    }
    #expect(log.entries == (isDebug ? ["nestedAdvance"] : []))
  }

  @Test("S4: entries that are due when the body ends are run, and later entries stay pending")
  func afterTheBody() throws {
    let log = Log()
    try scheduler.run { [scheduler] in
      Task {
        log.add("now")
        await Task.yield()
        log.add("now again")
        try? await scheduler.clock.sleep(for: .milliseconds(5))
        log.add("later")
      }
    }
    #expect(log.entries == ["now", "now again"])
    #expect(scheduler.pendingCount == 1)
    #expect(scheduler.nextDeadline == .ms(5))
    scheduler.advance(by: .milliseconds(5))
    #expect(log.entries == ["now", "now again", "later"])
    #expect(scheduler.nextDeadline == nil)
  }

  @Test("S3: the jobs of tasks and the work of one instant run in the order in which they were added")
  func jobsAndWork() throws {
    let log = Log()
    try scheduler.run { [scheduler] in
      try await scheduler.clock.sleep(for: .milliseconds(5))
      for number in 1...3 {
        Task(executorPreference: scheduler) { log.add("job \(number)") }
        scheduler.schedule { log.add("work \(number)") }
        scheduler.schedule(at: scheduler.now) { log.add("timer \(number)") }
      }
      log.add("body")
    }
    #expect(log.entries == ["body"] + (1...3).flatMap { ["job \($0)", "work \($0)", "timer \($0)"] })
  }

  @Test("S4: the body and the functions that it awaits are one job if they do not suspend")
  func oneJob() throws {
    func answer() async -> Int { 42 }
    func twice() async throws -> Int { await 2 * answer() }
    #expect(try scheduler.run(limit: 1) { try await twice() + answer() } == 126)
  }

  @Test("S4: a job ends where its task enters or leaves an actor")
  func jobsOfActors() throws {
    actor Counter {
      var count: Int = 0
      func next() -> Int {
        count += 1
        return count
      }
    }
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run(limit: 1) { await Counter().next() }
    }
    #expect(error?.reason == .limitReached(1))
    // This runs the remaining jobs, so that the task ends.
    #expect(scheduler.run() > 0)
  }

  @Test("S4: a call from one actor of the scheduler to another is part of the job")
  func callsBetweenActors() throws {
    actor Counter {
      private let scheduler: TestScheduler
      private let next: Counter?
      nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe scheduler.asUnownedSerialExecutor() }

      init(on scheduler: TestScheduler, before next: Counter? = nil) {
        self.scheduler = scheduler
        self.next = next
      }

      func count() async -> Int {
        assertIsolated()
        return await 1 + (next?.count() ?? 0)
      }
    }
    // The three entries are the body up to its call, the three actors, and the rest of the body.
    let count = try scheduler.run(limit: 3) { [scheduler] in
      await Counter(on: scheduler, before: Counter(on: scheduler, before: Counter(on: scheduler))).count()
    }
    #expect(count == 3)
  }

  @Test("S4: isCurrent is true in the body and its tasks, and false on other threads")
  func isCurrent() throws {
    let log = Log()
    try scheduler.run { [scheduler] in
      log.add("body \(scheduler.isCurrent)")
      await Task.detached { log.add("task \(scheduler.isCurrent)") }.value
      onThreads(1) { _ in log.add("thread \(scheduler.isCurrent)") }
    }
    log.add("idle \(scheduler.isCurrent)")
    #expect(log.entries == ["body true", "task true", "thread false", "idle true"])
  }

  @Test("S3: tasks that prefer the scheduler run inside advance")
  func tasksUnderAdvance() {
    let log = Log()
    Task(executorPreference: scheduler) { [scheduler] in
      log.add("begin")
      try await scheduler.clock.sleep(for: .milliseconds(10))
      log.add("end at \(scheduler.milliseconds)")
    }
    #expect(scheduler.nextDeadline == .ms(0))
    #expect(log.entries == [])
    scheduler.advance(by: .milliseconds(9))
    #expect(log.entries == ["begin"])
    scheduler.advance(by: .milliseconds(9))
    #expect(log.entries == ["begin", "end at 10"])
  }

  @Test("S3: a Task { } in work that advance runs is part of the advance")
  func unstructuredTasksUnderAdvance() {
    let log = Log()
    scheduler.at(3) {
      Task {
        log.add("task")
        await Task.detached { log.add("detached") }.value
        log.add("end")
      }
      log.add("work")
    }
    scheduler.advance(by: .milliseconds(3))
    #expect(log.entries == ["work", "task", "detached", "end"])
  }

  @Test("S4: jobs are entries among the scheduled work, in the order in which they were added")
  func workAndJobs() throws {
    let log = Log()
    try scheduler.run { [scheduler] in
      async let job: Void = withCheckedContinuation { continuation in
        scheduler.schedule { log.add("work 1") }
        scheduler.schedule {
          continuation.resume()
          scheduler.schedule { log.add("work 3") }
        }
        scheduler.schedule { log.add("work 2") }
      }
      await job
      log.add("job 4")
      scheduler.at(1) {}
      await Task.yield()
    }
    #expect(log.entries == ["work 1", "work 2", "work 3", "job 4"])
    #expect(scheduler.milliseconds == 0)
  }

  @Test("S4: a run on another scheduler inside a run is driven by its own scheduler")
  func otherSchedulerInside() throws {
    let log = Log()
    let inner = TestScheduler()
    try scheduler.run { [scheduler] in
      let task = Task.detached { log.add("outer task at \(scheduler.milliseconds)") }
      try inner.run {
        await Task.detached { log.add("inner task") }.value
        try await inner.clock.sleep(for: .milliseconds(7))
      }
      log.add("inner \(inner.milliseconds), outer \(scheduler.milliseconds)")
      await task.value
    }
    #expect(log.entries == ["inner task", "inner 7, outer 0", "outer task at 0"])
  }

  @Test("S4: runs on several threads at the same time do not affect each other")
  func parallelRuns() {
    let differences = Log()
    let expected = ["0 body", "0 detached", "3 slept", "3 end"]
    onThreads(4) { _ in
      let difference = firstDifference(from: expected, runs: 200) { trace in
        let task = Task.detached {
          trace.add("detached")
          try await trace.sleep(3)
          trace.add("slept")
        }
        trace.add("body")
        try await task.value
        trace.add("end")
      }
      if let difference { differences.add(difference) }
    }
    #expect(differences.entries == [])
  }

  @Test("S4: tasks that other threads start during a run go to the global pool")
  func otherThreadsDuringRun() async throws {
    let started = Guarded<Task<Void, Never>?>(nil)
    try scheduler.run { [scheduler] in
      onThreads(1) { _ in
        let task = Task.detached {}
        started.withLock { $0 = task }
      }
      #expect(scheduler.pendingCount == 0)
    }
    await started.withLock { $0 }?.value
  }
}
