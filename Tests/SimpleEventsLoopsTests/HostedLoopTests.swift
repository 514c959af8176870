import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L3, L4, L5 and L7: loops whose body is passed by a task.
struct HostedLoopTests {
  private let scheduler = TestScheduler()
  private let misuses = MisuseLog()

  private func loop(
    _ policy: CoalescingPolicy = .nextTurn, whenBusy: RefreshLoop.WhenBusy = .rerun, retry: Backoff = .never
  ) -> RefreshLoop {
    RefreshLoop(on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry, misuse: misuses.handler)
  }

  /// Starts a host. The host logs its end.
  @discardableResult private func host(_ loop: RefreshLoop, _ script: RefreshScript, _ name: String = "left")
    -> Task<Void, Never>
  {
    Task(executorPreference: scheduler) {
      do {
        try await loop.run { try await script.body() }
        script.add(name)
      } catch {
        script.add("\(name) by \(error)")
      }
    }
  }

  @Test("L7: requests that are made before there is a host wait for a host", arguments: Policies.all)
  func requestBeforeHost(_ policy: CoalescingPolicy) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(policy)
    loop.request()
    scheduler.advance(by: .seconds(1))
    #expect(script.count == 0 && loop.isPending)
    let task = host(loop, script)
    scheduler.advance(by: .seconds(1))
    #expect(script.entries == ["start 1000", "end 1010"])
    #expect(!loop.isPending)
    task.cancel()
    scheduler.run()
    #expect(script.entries.last == "left 2000")
  }

  @Test("L3: requests during a run give exactly one more run")
  func rerun() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop()
    let task = host(loop, script)
    for instant in [0, 2, 3, 4, 40] { scheduler.at(instant) { loop.request() } }
    scheduler.advance(by: .milliseconds(100))
    #expect(script.entries == ["start 0", "end 10", "start 10", "end 20", "start 40", "end 50"])
    task.cancel()
    scheduler.run()
  }

  @Test("L3: a delivery cancels the run, and the next run starts in another task when it has ended")
  func restart() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(whenBusy: .restart)
    let task = host(loop, script)
    for instant in [0, 4, 6] { scheduler.at(instant) { loop.request() } }
    scheduler.advance(by: .milliseconds(100))
    #expect(script.entries == ["start 0", "cancelled 4", "start 4", "cancelled 6", "start 6", "end 16"])
    task.cancel()
    scheduler.run()
  }

  @Test("L7: a cancelled host ends with its run, and pending requests stay for the next host")
  func cancelledHost() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop()
    let task = host(loop, script, "first")
    scheduler.at(0) { loop.request() }
    scheduler.at(4) {
      loop.request()
      task.cancel()
    }
    scheduler.at(20) { host(loop, script, "second") }
    scheduler.at(50) { Task(executorPreference: scheduler) { await loop.finish() } }
    scheduler.run()
    #expect(
      script.entries == ["start 0", "cancelled 4", "first 4", "start 20", "end 30", "second 50"])
  }

  @Test("L4: a host without onError throws the first error, and pending requests stay for the next host")
  func throwsError() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop()
    host(loop, script)
    loop.request()
    scheduler.advance(by: .milliseconds(5))
    loop.request()
    scheduler.advance(by: .milliseconds(5))
    #expect(script.entries == ["start 0", "fail 10", "left by Failure() 10"])
    let task = host(loop, script)
    scheduler.advance(by: .milliseconds(20))
    #expect(Array(script.entries.dropFirst(3)) == ["start 10", "end 20"])
    task.cancel()
    scheduler.run()
  }

  @Test("L4, L5: a host without onError throws the last attempt's error, and the run is not retried")
  func lastAttempt() {
    let script = RefreshScript(scheduler, [.failing(10)])
    let loop = loop(retry: .constant(.seconds(1)))
    host(loop, script)
    loop.request()
    scheduler.at(20) { Task(executorPreference: scheduler) { await loop.finish() } }
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 10", "start 20", "fail 30", "left by Failure() 30"])
  }

  @Test("L4: a host with onError continues after an error")
  func onError() {
    let script = RefreshScript(scheduler, [.failing(10)])
    let loop = loop()
    let task = Task(executorPreference: scheduler) {
      await loop.run {
        try await script.body()
      } onError: { error in
        script.add("\(error)")
      }
    }
    for instant in [0, 20] { scheduler.at(instant) { loop.request() } }
    scheduler.advance(by: .milliseconds(40))
    #expect(
      script.entries == ["start 0", "fail 10", "Failure() 10", "start 20", "fail 30", "Failure() 30"])
    task.cancel()
    scheduler.run()
  }

  @Test("L4: cancelRun ends only the run, and the host continues")
  func cancelRun() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop()
    let task = host(loop, script)
    scheduler.at(0) { loop.request() }
    scheduler.at(4) { loop.cancelRun() }
    scheduler.at(6) { loop.cancelRun() }
    scheduler.at(8) { loop.request() }
    scheduler.advance(by: .milliseconds(40))
    #expect(script.entries == ["start 0", "cancelled 4", "start 8", "end 18"])
    task.cancel()
    scheduler.run()
  }

  @Test("L5, L7: finish and stop end the host", arguments: [true, false])
  func ends(isFinished: Bool) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(.debounce(.milliseconds(50)))
    host(loop, script)
    scheduler.at(0) { loop.request() }
    scheduler.at(5) {
      Task(executorPreference: scheduler) {
        if isFinished { await loop.finish() } else { await loop.stop() }
        script.add("ended")
        loop.request()
      }
    }
    scheduler.run()
    if isFinished {
      #expect(script.entries.sorted() == ["end 15", "ended 15", "left 15", "start 5"])
    } else {
      #expect(script.entries.sorted() == ["ended 5", "left 5"])
    }
    #expect(scheduler.pendingCount == 0)
  }

  @Test("L5: finish of a loop without a host returns, and the next host makes the last run")
  func finishWithoutHost() async {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop()
    loop.request()
    await loop.finish()
    host(loop, script)
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "left 10"])
    host(loop, script)
    scheduler.run()
    #expect(script.entries.last == "left 10" && script.count == 1)
  }

  @Test("L7: a second host is flagged and returns, and so does a host of a loop with a body")
  func secondHost() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop()
    let task = host(loop, script, "first")
    scheduler.advance()
    host(loop, script, "second")
    scheduler.advance()
    #expect(script.entries == ["second 0"])
    let owned = RefreshLoop(on: scheduler, misuse: misuses.handler) {}
    host(owned, script, "third")
    scheduler.advance()
    #expect(script.entries == ["second 0", "third 0"])
    #expect(misuses.kinds == [.secondHost, .secondHost])
    task.cancel()
    scheduler.run()
  }

  @Test("L7: a run inside a run of the same loop is flagged")
  func nestedHost() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop()
    let task = Task(executorPreference: scheduler) {
      await loop.run { await loop.run { script.add("inner") } }
    }
    loop.request()
    scheduler.advance()
    #expect(script.entries == [])
    #expect(misuses.kinds == [.secondHost])
    task.cancel()
    scheduler.run()
  }

  @Test("L7: a loop released with requests and without a host stops no program, and is counted")
  func neverHosted() {
    let log = MonitorLog()
    withCoalescingMonitor(log) {
      var loop: RefreshLoop? = loop()
      loop?.request()
      loop?.request()
      loop = nil
    }
    scheduler.run()
    #expect(misuses.kinds == [])
    #expect(log.entries.last == "ended 2" && log.faults == [])
  }

  @Test("L7: runs inherit task-local values and priority from the host, not from a request")
  func inheritance() throws {
    let values = Log()
    let loop = loop()
    try scheduler.run {
      let task = Self.$name.withValue("host") {
        Task { await loop.run { values.add(Self.name) } }
      }
      await Task.yield()
      Self.$name.withValue("request") { loop.request() }
      await loop.settle()
      task.cancel()
    }
    #expect(values.entries == ["host"])
  }

  @Test("L3: an owned run inherits no task-local value of a request or of the previous run")
  func noInheritance() throws {
    let values = Log()
    let relay = Guarded<RefreshLoop?>(nil)
    let loop = RefreshLoop(on: scheduler) {
      values.add(Self.name)
      if values.entries.count == 1 { Self.$name.withValue("run") { relay.withLock { $0 }?.request() } }
    }
    _ = relay.exchange(loop)
    try scheduler.run {
      Self.$name.withValue("request") { loop.request() }
      await loop.settle()
    }
    #expect(values.entries == ["none", "none"])
    _ = relay.exchange(nil)
  }

  @TaskLocal private static var name: String = "none"

  @Test("L7: a host whose task is cancelled before it begins makes no run")
  func cancelledBefore() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop()
    loop.request()
    host(loop, script).cancel()
    scheduler.run()
    #expect(script.entries == ["left 0"])
    #expect(loop.isPending)
    loop.cancel()
    #expect(!loop.isPending)
  }

  @Test("L7: a task that was already cancelled makes no run when it becomes the host")
  func cancelledInside() throws {
    let runs = Log()
    let loop = loop()
    loop.request()
    scheduler.advance()
    try scheduler.run {
      await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        await loop.run { runs.add("run") }
      }.value
    }
    #expect(runs.entries == [] && loop.isPending)
  }
}
