import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L10: requests that get no answer, and callers that do not wait for one.
struct RefreshAnswerEndTests {
  private let scheduler = TestScheduler()
  private let misuses = MisuseLog()

  private func loop(
    _ script: RefreshScript, _ policy: CoalescingPolicy = .nextTurn, whenBusy: RefreshLoop.WhenBusy = .rerun,
    retry: Backoff = .never
  ) -> RefreshLoop {
    script.makeLoop(policy, whenBusy: whenBusy, retry: retry, misuse: misuses.handler)
  }

  /// Starts a caller at an instant. The caller logs the instant and the kind of its answer.
  @discardableResult private func call(
    _ loop: RefreshLoop, at milliseconds: Int = 0, _ script: RefreshScript, _ name: String = "answer"
  ) -> Caller {
    Caller(script.add, on: scheduler, at: milliseconds, answer: name, error: name) {
      try await loop.refresh()
    }
  }

  /// The calls that drop a pending request.
  enum Drop: CaseIterable, Sendable {
    case cancel, stop, stopCancelling

    func callAsFunction(_ loop: RefreshLoop) {
      switch self {
      case .cancel: loop.cancel()
      case .stop: Task { await loop.stop() }
      case .stopCancelling: Task { await loop.stop(cancelling: true) }
      }
    }
  }

  @Test("L10: a request that is dropped throws a CancellationError", arguments: Drop.allCases, Policies.all)
  func dropped(_ drop: Drop, _ policy: CoalescingPolicy) throws {
    let loop = RefreshLoop(on: scheduler, policy: policy)
    try scheduler.run { [scheduler] in
      let task = Task { try await loop.refresh() }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      drop(loop)
      await #expect(throws: CancellationError.self) { () async throws in try await task.value }
    }
    #expect(!loop.isPending)
  }

  @Test("L10: a request that waits for a retry is dropped with the retry")
  func droppedRetry() {
    let script = RefreshScript(scheduler, [.failing(10)])
    let loop = loop(script, retry: .constant(.milliseconds(100)))
    call(loop, script, "first")
    call(loop, at: 50, script, "second")
    scheduler.at(60) { loop.cancel() }
    scheduler.run()
    #expect(
      script.entries == [
        "start 0", "fail 10", "first: CancellationError() 60", "second: CancellationError() 60",
      ])
  }

  @Test("L10: cancel and stop do not affect the requests of the run in progress", arguments: [false, true])
  func dropDuringRun(_ stops: Bool) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    call(loop, script, "first")
    call(loop, at: 4, script, "second")
    scheduler.at(5) { [scheduler] in
      if stops { Task(executorPreference: scheduler) { await loop.stop() } } else { loop.cancel() }
    }
    scheduler.run()
    #expect(script.entries == ["start 0", "second: CancellationError() 5", "end 10", "first 10"])
  }

  @Test("L10: a request of a cancelled run is dropped, or answered by the run that follows")
  func cancelRun() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    call(loop, script, "first")
    scheduler.at(5) { loop.cancelRun() }
    call(loop, at: 20, script, "second")
    call(loop, at: 21, script, "third")
    scheduler.at(25) { loop.cancelRun() }
    scheduler.run()
    #expect(
      script.entries == [
        "start 0", "cancelled 5", "first: CancellationError() 5",
        "start 20", "cancelled 25", "start 25", "end 35", "second 35", "third 35",
      ])
  }

  @Test("L10, S7: a request is dropped with its scheduler")
  func loss() async {
    let forgetful = ForgetfulScheduler()
    let loop = RefreshLoop(on: forgetful, policy: .debounce(.milliseconds(10))) {}
    let task = Task { try await loop.refresh() }
    while !loop.isPending { await Task.yield() }
    forgetful.forget()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!loop.isPending)
  }

  @Test("L10: a caller that is cancelled throws, and its request stays")
  func cancelledCaller() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .debounce(.milliseconds(20)))
    let caller = call(loop, script)
    call(loop, at: 5, script, "second")
    scheduler.at(10) { caller.cancel() }
    scheduler.run()
    #expect(script.entries == ["answer: CancellationError() 10", "start 25", "end 35", "second 35"])
  }

  @Test("L10: a caller that is cancelled before its call requests nothing")
  func callerCancelledBefore() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    let caller = call(loop, script)
    scheduler.at(0) { caller.cancel() }
    scheduler.run()
    #expect(script.entries == ["answer: CancellationError() 0"])
  }

  @Test("L10: cancelled callers leave nothing in a loop without a host")
  func cancelledCallers() throws {
    let loop = RefreshLoop(on: scheduler)
    try scheduler.run { [scheduler] in
      for _ in 0..<1000 {
        let task = Task { try await loop.refresh() }
        try await scheduler.clock.sleep(for: .milliseconds(1))
        task.cancel()
        await #expect(throws: CancellationError.self) { () async throws in try await task.value }
      }
    }
    #expect(loop.isPending)
  }

  @Test("L5, L10: a call from the run of the loop is flagged, requests a run and throws")
  func insideRun() {
    let script = RefreshScript(scheduler, [.ms(0)])
    let reference = Guarded<RefreshLoop?>(nil)
    let calls = Guarded(0)
    let loop = RefreshLoop(on: scheduler, misuse: misuses.handler) {
      guard
        calls.withLock({
          $0 += 1; return $0 == 1
        })
      else { return }
      do { try await reference.withLock { $0 }?.refresh() } catch { script.add("\(error)") }
    }
    _ = reference.exchange(loop)
    loop.request()
    scheduler.run()
    #expect(script.entries == ["CancellationError() 0"])
    #expect(calls.withLock { $0 } == 2)
    #expect(misuses.kinds == [.waitedInsideRun])
    #expect(misuses.messages[0].contains("let another loop make the run"))
    _ = reference.exchange(nil)
  }

  @Test("L10: a loop without a host answers as soon as it has one, and a stuck test names it")
  func unhosted() {
    let loop = RefreshLoop(on: scheduler, label: "tokens")
    let stuck = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run { try await loop.refresh() }
    }
    #expect(!isDebug || "\(stuck!)".contains("refresh() of RefreshLoop \"tokens\""))
    let script = RefreshScript(scheduler, [.ms(10)])
    call(loop, script)
    scheduler.run()
    #expect(script.entries == [])
    let host = Task(executorPreference: scheduler) { try await loop.run { try await script.body() } }
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "answer 10"])
    host.cancel()
    scheduler.run()
  }

  @Test("L10: an error that ends the host is also thrown to the caller")
  func hostedError() {
    let script = RefreshScript(scheduler, [.failing(10)])
    let loop = RefreshLoop(on: scheduler)
    let host = Task(executorPreference: scheduler) {
      do { try await loop.run { try await script.body() } } catch { script.add("left: \(error)") }
    }
    call(loop, script)
    scheduler.run()
    #expect(
      Set(script.entries) == ["start 0", "fail 10", "answer: Failure() 10", "left: Failure() 10"])
    withExtendedLifetime(host) {}
  }

  @Test("L7, L10: a cancelled host drops the requests of its run, and later requests wait for a host")
  func cancelledHost() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = RefreshLoop(on: scheduler)
    let host = { [scheduler] in
      Task(executorPreference: scheduler) { try? await loop.run { try await script.body() } }
    }
    let first = host()
    call(loop, script, "first")
    scheduler.at(5) { first.cancel() }
    call(loop, at: 20, script, "second")
    scheduler.advance(toMilliseconds: 30)
    #expect(script.entries == ["start 0", "cancelled 5", "first: CancellationError() 5"])
    let second = host()
    scheduler.advance(toMilliseconds: 50)
    #expect(script.entries.suffix(3) == ["start 30", "end 40", "second 40"])
    second.cancel()
    scheduler.run()
  }

  @Test("L10: a thousand callers of one run are resumed in order")
  func manyCallers() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    for number in 0..<1000 { call(loop, script, "\(number)") }
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10"] + (0..<1000).map { "\($0) 10" })
  }

  @Test("L10: under steady demand a caller waits for the run in progress and for its own run")
  func steadyDemand() {
    let script = RefreshScript(scheduler, [.ms(100)])
    let loop = loop(script)
    for instant in stride(from: 0, to: 2000, by: 5) { scheduler.at(instant) { loop.request() } }
    call(loop, at: 502, script)
    scheduler.run()
    #expect(script.entries.contains("answer 700"))
  }

  @Test("L5, L10: the last run answers, and a request after `close()` is dropped", arguments: [false, true])
  func close(_ isHosted: Bool) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let policy = CoalescingPolicy.debounce(.seconds(1))
    let loop = isHosted ? RefreshLoop(on: scheduler, policy: policy) : loop(script, policy)
    if isHosted { Task(executorPreference: scheduler) { try await loop.run { try await script.body() } } }
    call(loop, script, "first")
    scheduler.at(5) { loop.close() }
    call(loop, at: 6, script, "second")
    scheduler.run()
    #expect(script.entries == ["start 5", "second: CancellationError() 6", "end 15", "first 15"])
  }

  @Test("L5, L10: a closed loop ends with its host, and answers the pending requests")
  func closedWithoutHost() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let monitor = MonitorLog()
    let loop = withCoalescingMonitor(monitor) { RefreshLoop(on: scheduler) }
    let host = Task(executorPreference: scheduler) {
      try? await loop.run { try await script.body() }
      script.add("left, \(monitor.entries.last ?? "")")
    }
    call(loop, script, "first")
    call(loop, at: 3, script, "second")
    scheduler.at(4) { loop.close() }
    scheduler.at(5) { host.cancel() }
    scheduler.run()
    #expect(
      script.entries == [
        "start 0", "cancelled 5", "left, ended 1 5", "first: CancellationError() 5",
        "second: CancellationError() 5",
      ])
  }

  @Test("C8, L10: a policy without edges drops every request")
  func noEdges() async {
    let loop = RefreshLoop(
      on: scheduler, policy: .throttle(.seconds(1), edges: []), misuse: misuses.handler
    ) {}
    await #expect(throws: CancellationError.self) { try await loop.refresh() }
    #expect(misuses.kinds == [.noEdges])
  }
}
