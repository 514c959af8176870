import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L4, L7 and L8: errors and retries of loops whose runs are cancelled or whose hosts change.
struct HostedRetryTests {
  private let scheduler = TestScheduler()

  @Test("L4, L8: an error of a run whose host was cancelled is not retried, and is thrown")
  func cancelledHost() {
    let script = RefreshScript(
      scheduler, [.init(microseconds: 10_000, heedsCancellation: false, fails: true), .ms(1)])
    let asked = Log()
    let loop = RefreshLoop(
      on: scheduler,
      retry: .custom { failures, _ in
        asked.add("\(failures)")
        return .milliseconds(1)
      })
    let task = Task(executorPreference: scheduler) { try await loop.run { try await script.body() } }
    loop.request()
    scheduler.at(4) { task.cancel() }
    scheduler.at(20) {
      Task(executorPreference: scheduler) {
        await #expect(throws: RefreshScript.Failure.self) { try await task.value }
        await loop.run {
          try await script.body()
        } onError: { _ in
        }
      }
    }
    scheduler.at(30) { Task(executorPreference: scheduler) { await loop.finish() } }
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 10"])
    #expect(asked.entries.isEmpty && loop.description == "RefreshLoop, ended")
  }

  @Test("L8: an error whose host is cancelled during onError is not retried")
  func cancelledInReport() {
    let script = RefreshScript(scheduler, [.failing(1)])
    let loop = RefreshLoop(on: scheduler, retry: .constant(.milliseconds(1)))
    let host = Task(executorPreference: scheduler) { [scheduler] in
      await loop.run {
        try await script.body()
      } onError: { _ in
        await Task { try? await scheduler.clock.sleep(for: .milliseconds(10)) }.value
      }
    }
    loop.request()
    scheduler.at(5) { host.cancel() }
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 1"])
    #expect(loop.description == "RefreshLoop, without a host")
  }

  @Test("L8: a run that is cancelled during onError does not reset the count of failures")
  func cancelledRunInReport() {
    let script = RefreshScript(scheduler, [.failing(1), .failing(1)])
    let loop = RefreshLoop(on: scheduler, retry: .constant(.milliseconds(1))) {
      try await script.body()
    } onError: { [scheduler] _ in
      await Task { try? await scheduler.clock.sleep(for: .milliseconds(10)) }.value
    }
    loop.request()
    scheduler.at(15) { loop.cancelRun() }
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 1", "start 12", "fail 13"])
    #expect(loop.description == "RefreshLoop, failed once")
  }

  /// Starts a host that ignores the errors of its runs.
  @discardableResult private func host(_ loop: RefreshLoop, _ script: RefreshScript) -> Task<Void, Never> {
    Task(executorPreference: scheduler) {
      await loop.run {
        try await script.body()
      } onError: { _ in
      }
    }
  }

  @Test("L7, L8: a retry that waits when its host is cancelled is left for the next host")
  func waitingRetry() {
    let script = RefreshScript(scheduler, [.failing(1), .ms(1)])
    let loop = RefreshLoop(on: scheduler, retry: .constant(.milliseconds(20)))
    let first = host(loop, script)
    loop.request()
    scheduler.at(5) { first.cancel() }
    scheduler.at(10) { [self] in host(loop, script) }
    scheduler.at(50) { Task(executorPreference: scheduler) { await loop.finish() } }
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 1", "start 21", "end 22"])
  }

  @Test(
    "L8: a request that comes while a retry waits for a host is part of the retry",
    arguments: [CoalescingPolicy.audit(.milliseconds(10)), .debounce(.milliseconds(10))])
  func waitsForHost(policy: CoalescingPolicy) {
    let script = RefreshScript(scheduler, [.failing(1), .ms(1)])
    let loop = RefreshLoop(on: scheduler, policy: policy, retry: .constant(.milliseconds(20)))
    let first = host(loop, script)
    loop.request()
    scheduler.at(15) { first.cancel() }
    // The retry is due at 31. The window of this request ends at 55.
    scheduler.at(45) { loop.request() }
    scheduler.at(50) { [self] in host(loop, script) }
    scheduler.at(70) { Task(executorPreference: scheduler) { await loop.finish() } }
    scheduler.run()
    #expect(script.entries == ["start 10", "fail 11", "start 50", "end 51"])
  }

  @Test("L8: cancel resets the count of failures, and a cancelled run does not", arguments: [true, false])
  func numberOfFailures(_ cancelsWait: Bool) {
    let script = RefreshScript(scheduler, [.failing(1), .ms(10)])
    let loop = RefreshLoop(on: scheduler, retry: .constant(.milliseconds(20))) {
      try await script.body()
    } onError: { _ in
    }
    loop.request()
    scheduler.at(cancelsWait ? 10 : 25) { cancelsWait ? loop.cancel() : loop.cancelRun() }
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 1"] + (cancelsWait ? [] : ["start 21", "cancelled 25"]))
    #expect(loop.description == "RefreshLoop" + (cancelsWait ? "" : ", failed once"))
  }

  @Test(
    "L3: an owned run has the priority of the task that requests it", arguments: [TaskPriority.low, .high])
  func priority(_ priority: TaskPriority) throws {
    let seen = Log()
    let loop = RefreshLoop(on: scheduler) { seen.add("\(Task.currentPriority)") }
    try scheduler.run { [scheduler] in
      // The task is not awaited, because that would raise its priority.
      Task(priority: priority) { loop.request() }
      try await scheduler.clock.sleep(for: .seconds(1))
    }
    #expect(seen.entries == ["\(priority)"])
  }

  @Test("L3: an owned run has the highest priority of its own requests, not that of another run")
  func priorityOfRerun() throws {
    let seen = Log()
    let loop = RefreshLoop(on: scheduler, policy: .debounce(.milliseconds(10))) { [scheduler] in
      seen.add("\(Task.currentPriority)")
      try? await scheduler.clock.sleep(for: .milliseconds(100))
    }
    try scheduler.run { [scheduler] in
      for (instant, priority) in [(0, TaskPriority.low), (50, .low), (55, .high), (60, .low), (250, .low)] {
        scheduler.at(instant) { Task(priority: priority) { loop.request() } }
      }
      try await scheduler.clock.sleep(for: .seconds(1))
    }
    #expect(seen.entries == [TaskPriority.low, .high, .low].map { "\($0)" })
  }

  @Test("L3: a dropped request does not raise the priority of an owned run", arguments: [true, false])
  func priorityOfDropped(isCancelled: Bool) throws {
    let seen = Log()
    let loop = RefreshLoop(
      on: scheduler, policy: .debounce(.milliseconds(10)), whenBusy: .ignore
    ) { [scheduler] in
      seen.add("\(Task.currentPriority)")
      try? await scheduler.clock.sleep(for: .milliseconds(100))
    }
    try scheduler.run { [scheduler] in
      scheduler.at(0) { Task(priority: .low) { loop.request() } }
      // This request is cancelled during the window, or dropped by the run in progress.
      scheduler.at(50) { Task(priority: .high) { loop.request() } }
      if isCancelled { scheduler.at(55) { loop.cancel() } }
      scheduler.at(200) { Task(priority: .low) { loop.request() } }
      try await scheduler.clock.sleep(for: .seconds(1))
    }
    #expect(seen.entries == ["\(TaskPriority.low)", "\(TaskPriority.low)"])
  }

  @Test("L3, L8: a retry has the priority of the requests that it answers")
  func priorityOfRetry() throws {
    let seen = Log()
    let script = RefreshScript(scheduler, [.failing(1), .failing(1), .ms(1)])
    let loop = RefreshLoop(on: scheduler, retry: .constant(.milliseconds(10))) {
      seen.add("\(Task.currentPriority)")
      try await script.body()
    } onError: { _ in
    }
    try scheduler.run { [scheduler] in
      Task(priority: .low) { loop.request() }
      // This request comes during the second attempt.
      scheduler.at(12) { Task(priority: .high) { loop.request() } }
      try await scheduler.clock.sleep(for: .seconds(1))
    }
    #expect(script.entries == ["start 0", "fail 1", "start 11", "fail 12", "start 22", "end 23"])
    #expect(seen.entries == [TaskPriority.low, .low, .high].map { "\($0)" })
  }

  @Test("L8: a cancelled run does not reset the number of failures, in both loops", arguments: [true, false])
  func failuresOfHosts(isBatch: Bool) {
    let script = RefreshScript(
      scheduler, [.failing(1), .failing(1), .ms(10), .failing(1), .failing(1), .ms(1)])
    let asked = Log()
    let retry = Backoff.custom { failures, _ in
      asked.add("\(failures)")
      return .milliseconds(1)
    }
    let loop = RefreshLoop(on: scheduler, retry: retry)
    let batches = BatchLoop<Int>(on: scheduler, keeping: .unlimited, retry: retry)
    @Sendable func host() -> Task<Void, Never> {
      Task(executorPreference: scheduler) {
        if isBatch {
          await batches.run {
            try await script.body($0)
          } onError: { _, _ in
          }
        } else {
          await loop.run {
            try await script.body()
          } onError: { _ in
          }
        }
      }
    }
    let first = host()
    if isBatch { batches.add(1) } else { loop.request() }
    scheduler.at(10) {
      first.cancel()
      if !isBatch { loop.request() }
    }
    scheduler.at(20) { _ = host() }
    scheduler.at(50) { Task(executorPreference: scheduler) { await (loop.stop(), batches.stop()) } }
    scheduler.run()
    #expect(asked.entries == ["1", "2", "3", "4"])
  }

  @Test(
    "L3: flush during a run is a delivery",
    arguments: [
      (RefreshLoop.WhenBusy.rerun, ["start 1", "end 11", "start 11", "end 21"]),
      (.restart, ["start 1", "cancelled 5", "start 5", "end 15"]), (.ignore, ["start 1", "end 11"]),
    ])
  func flushDuringRun(_ whenBusy: RefreshLoop.WhenBusy, _ expected: [String]) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = RefreshLoop(on: scheduler, policy: .debounce(.milliseconds(1)), whenBusy: whenBusy) {
      try await script.body()
    } onError: { _ in
    }
    loop.request()
    scheduler.at(5) {
      loop.request()
      loop.flush()
    }
    scheduler.run()
    #expect(script.entries == expected)
  }
}
