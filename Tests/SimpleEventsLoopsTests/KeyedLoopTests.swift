import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// K4: the runs of a keyed loop.
struct KeyedLoopTests {
  private let scheduler = TestScheduler()
  private let misuses = MisuseLog()

  private func loop(
    _ script: KeyedScript, _ policy: CoalescingPolicy = .nextTurn,
    whenBusy: RefreshLoop.WhenBusy = .rerun, retry: Backoff = .never, limit: Int = 4
  ) -> KeyedRefreshLoop<String> {
    KeyedRefreshLoop(
      on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry, maxConcurrentRuns: limit,
      misuse: misuses.handler
    ) {
      try await script.body($0)
    } onError: { key, error in
      script.add("\(key) \(error)")
    }
  }

  @Test("K4: each key has a window of its own")
  func windows() {
    let script = KeyedScript(scheduler)
    let loop = loop(script, .debounce(.milliseconds(20)))
    for (instant, key) in [(0, "a"), (5, "b"), (10, "a")] { scheduler.at(instant) { loop.request(key) } }
    scheduler.run()
    #expect(script.entries == ["b start 25", "b end 26", "a start 30", "a end 31"])
  }

  @Test("L3, K4: a request of a key that is in line for its next run is part of that run")
  func requestInLine() {
    let script = KeyedScript(scheduler, ["a": [.ms(50)], "b": [.ms(20), .ms(1)]])
    let loop = loop(script, .audit(.milliseconds(10)), limit: 1)
    // The second delivery of b comes during its run. Then b waits in line until the run of a has ended.
    for (instant, key) in [(0, "b"), (12, "b"), (15, "a"), (75, "b")] {
      scheduler.at(instant) { loop.request(key) }
    }
    scheduler.run()
    #expect(script.starts == ["b start 10", "a start 30", "b start 80"])
    #expect(loop.entryCount == 0)
  }

  @Test("K4: no more runs than the limit are in progress, and keys run in the order in which they became due")
  func limit() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)], "b": [.ms(5)]])
    let loop = loop(script, limit: 2)
    for key in ["a", "b", "c", "d", "e"] { loop.request(key) }
    #expect(loop.pendingCount == 5 && loop.runningCount == 0)
    scheduler.advance(by: .milliseconds(1))
    #expect(loop.pendingCount == 3 && loop.runningCount == 2 && loop.isRunning("a") && loop.isPending("c"))
    scheduler.run()
    #expect(script.starts == ["a start 0", "b start 0", "c start 5", "d start 6", "e start 7"])
    #expect(script.largest == 2 && loop.pendingCount == 0 && loop.runningCount == 0)
  }

  @Test("K4: a key is in line once, however often it is requested")
  func stingy() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let loop = loop(script, limit: 1)
    for key in ["a", "b", "b"] { loop.request(key) }
    for instant in [2, 4, 6] { scheduler.at(instant) { loop.request("b") } }
    scheduler.run()
    #expect(script.starts == ["a start 0", "b start 10"])
  }

  @Test("K4: a key that is requested during its run goes to the end of the line")
  func fair() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let loop = loop(script, limit: 1)
    loop.request("a")
    scheduler.at(2) { loop.request("a") }
    scheduler.at(4) { loop.request("b") }
    scheduler.at(6) { loop.request("c") }
    scheduler.run()
    #expect(script.starts == ["a start 0", "b start 10", "c start 11", "a start 12"])
    #expect(script.overlaps == 0)
  }

  @Test("K4: a key that was cancelled in line goes to the end of the line when it is requested again")
  func cancelledInLine() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let loop = loop(script, limit: 1)
    for key in ["a", "b", "c"] { loop.request(key) }
    scheduler.at(2) {
      loop.cancel("b")
      #expect(!loop.isPending("b"))
      loop.request("b")
    }
    scheduler.run()
    #expect(script.starts == ["a start 0", "c start 10", "b start 11"])
  }

  @Test("K4: a body that ignores its cancellation holds up only its key")
  func stubborn() {
    let script = KeyedScript(scheduler, ["a": [.stubborn(1000)]])
    let loop = loop(script, limit: 2)
    loop.request("a")
    scheduler.at(1) { loop.cancelRun("a") }
    for instant in [2, 4, 6] { scheduler.at(instant) { loop.request("b") } }
    scheduler.advance(by: .milliseconds(100))
    #expect(script.starts == ["a start 0", "b start 2", "b start 4", "b start 6"])
    #expect(loop.isRunning("a"))
    scheduler.run()
  }

  @Test("K4, L3: a delivery cancels only the run of its key")
  func restart() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)], "b": [.ms(10)]])
    let loop = loop(script, whenBusy: .restart)
    for key in ["a", "b"] { loop.request(key) }
    scheduler.at(4) { loop.request("a") }
    scheduler.run()
    #expect(
      script.entries == ["a start 0", "b start 0", "a cancelled 4", "a start 4", "b end 10", "a end 14"])
  }

  @Test("K4, L8: each key has its own failures and its own wait")
  func retries() {
    let script = KeyedScript(
      scheduler, ["a": [.failing(1), .failing(1), .ms(1)], "b": [.ms(1), .failing(1), .ms(1)]])
    let loop = loop(script, retry: .exponential(initial: .milliseconds(10)))
    loop.request("a")
    for instant in [0, 20] { scheduler.at(instant) { loop.request("b") } }
    scheduler.run()
    #expect(
      script.starts == [
        "a start 0", "b start 0", "a start 11", "b start 20", "b start 31", "a start 32",
      ])
    #expect(loop.entryCount == 0)
  }

  @Test("K4, L8: a success resets the failures of a key whose window is open")
  func success() {
    let script = KeyedScript(scheduler, ["a": [.failing(0), .ms(0), .failing(0), .ms(0)]])
    let loop = loop(script, .throttle(.milliseconds(100)), retry: .exponential(initial: .milliseconds(10)))
    for instant in [0, 50] { scheduler.at(instant) { loop.request("a") } }
    scheduler.run()
    #expect(script.starts == ["a start 0", "a start 10", "a start 100", "a start 110"])
  }

  @Test("K4, L8: requests join the wait for a retry, and a flush ends the wait")
  func joinRetry() {
    let script = KeyedScript(scheduler, ["a": [.failing(1), .ms(1)], "b": [.failing(1), .ms(1)]])
    let loop = loop(script, retry: .constant(.milliseconds(20)))
    for key in ["a", "b"] { loop.request(key) }
    scheduler.at(5) { loop.request("a") }
    scheduler.at(8) { loop.flush("b") }
    scheduler.run()
    #expect(script.starts == ["a start 0", "b start 0", "b start 8", "a start 21"])
  }

  @Test("K4: a cancelled retry is not made, and its key is removed")
  func cancelledRetry() {
    let script = KeyedScript(scheduler, ["a": [.failing(1)], "b": [.failing(1), .ms(1)]])
    let loop = loop(script, retry: .constant(.milliseconds(20)))
    for key in ["a", "b"] { loop.request(key) }
    scheduler.at(5) { loop.cancel("a") }
    scheduler.run()
    #expect(script.starts == ["a start 0", "b start 0", "b start 21"])
    #expect(loop.entryCount == 0 && scheduler.pendingCount == 0)
  }

  @Test("K3: one timer serves the windows and the retries of all keys")
  func oneTimer() {
    let script = KeyedScript(scheduler, ["a": [.failing(0)], "b": [.failing(0)]])
    let loop = loop(script, .throttle(.milliseconds(50)), retry: .constant(.milliseconds(20)))
    for key in ["a", "b", "c", "d"] { loop.request(key) }
    scheduler.advance(by: .milliseconds(5))
    #expect(loop.pendingCount == 2)
    #expect(scheduler.pendingCount == 1)
  }

  @Test("K4: a limit below one is flagged, and one run is made at a time", arguments: [0, -1, Int.min])
  func limitBelowOne(_ limit: Int) {
    let script = KeyedScript(scheduler)
    let loop = loop(script, limit: limit)
    for key in ["a", "b"] { loop.request(key) }
    scheduler.run()
    #expect(misuses.kinds == [.runsBelowOne])
    #expect(script.largest == 1 && script.starts.count == 2)
  }

  @Test("K4: the body sees each request, and does not run before the request has returned (C5)")
  func asynchronous() {
    let script = KeyedScript(scheduler)
    let loop = loop(script)
    scheduler.at(3) {
      loop.request("a")
      #expect(script.entries == [] && loop.isPending("a") && !loop.isRunning("a"))
    }
    scheduler.run()
    #expect(script.starts == ["a start 3"])
  }

  @Test("K2: keys that have run use no memory", arguments: Policies.all, RefreshLoop.WhenBusy.modes)
  func forgets(_ policy: CoalescingPolicy, _ whenBusy: RefreshLoop.WhenBusy) {
    let count = Stress.rounds(20_000)
    let loop = KeyedRefreshLoop<Int>(
      on: scheduler, policy: policy, whenBusy: whenBusy, maxConcurrentRuns: 16
    ) { key in
      if key % 3 == 0 { throw RefreshScript.Failure() }
    } onError: { _, _ in
    }
    for key in 0..<count { loop.request(key) }
    #expect(loop.pendingCount == count)
    scheduler.run()
    #expect(loop.pendingCount == 0 && loop.entryCount == 0)
    #expect(loop.capacity <= 64)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("L3, K4: a run of a key has the priority of its own requests, not that of another run")
  func priorities() throws {
    let seen = Log()
    let loop = KeyedRefreshLoop<String>(on: scheduler, policy: .throttle(.milliseconds(100))) { _ in
      seen.add("\(Task.currentPriority)")
    } onError: { _, _ in
    }
    try scheduler.run { [scheduler] in
      // The second request comes after the task of the first run was created, and before the run begins.
      for (instant, priority) in [(0, TaskPriority.low), (0, .high), (20, .low)] {
        scheduler.at(instant) { Task(priority: priority) { loop.request("a") } }
      }
      try await scheduler.clock.sleep(for: .seconds(1))
    }
    #expect(seen.entries == [TaskPriority.low, .low].map { "\($0)" })
  }
}
