import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L1 to L4 and L6: the runs of a loop, in virtual time that the test advances.
struct RefreshLoopTests {
  private let scheduler = TestScheduler()
  private let misuses = MisuseLog()

  private func loop(
    _ script: RefreshScript, _ policy: CoalescingPolicy = .nextTurn, whenBusy: RefreshLoop.WhenBusy = .rerun
  ) -> RefreshLoop {
    RefreshLoop(
      on: scheduler, policy: policy, whenBusy: whenBusy, misuse: misuses.handler
    ) {
      try await script.body()
    } onError: { error in
      script.add("\(error)")
    }
  }

  private func request(_ loop: RefreshLoop, at instants: Int...) {
    for instant in instants { scheduler.at(instant) { loop.request() } }
  }

  @Test("L3: requests during a run give exactly one more run, immediately when it has ended")
  func rerun() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    request(loop, at: 0, 2, 3, 4, 40)
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "start 10", "end 20", "start 40", "end 50"])
  }

  @Test("L3: the rerun is part of the policy's delivery if one is pending")
  func rerunWithPendingDelivery() {
    let script = RefreshScript(scheduler, [.ms(30)])
    let loop = loop(script, .debounce(.milliseconds(10)))
    // The first request is delivered at 10. The second is delivered at 25, during the run. The third is
    // delivered at 47 and is pending when the run ends.
    request(loop, at: 0, 15, 37)
    scheduler.run()
    #expect(script.entries == ["start 10", "end 40", "start 47", "end 77"])
  }

  @Test("L3: the policy does not limit the immediate rerun")
  func rerunUnderThrottle() {
    let script = RefreshScript(scheduler, [.ms(110)])
    let loop = loop(script, .throttle(.milliseconds(100)))
    request(loop, at: 0, 50)
    scheduler.run()
    #expect(script.entries == ["start 0", "end 110", "start 110", "end 220"])
  }

  @Test("L3: a delivery cancels the run, and the next run starts when it has ended")
  func restart() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, whenBusy: .restart)
    request(loop, at: 0, 4, 6)
    scheduler.run()
    #expect(
      script.entries == ["start 0", "cancelled 4", "start 4", "cancelled 6", "start 6", "end 16"])
  }

  @Test("L1: a run that ignores its cancellation is not overlapped by the next run")
  func stubbornBody() {
    let script = RefreshScript(scheduler, [.stubborn(10)])
    let loop = loop(script, whenBusy: .restart)
    request(loop, at: 0, 4, 6)
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "start 10", "end 20"])
    #expect(script.overlaps == 0)
  }

  @Test("L3: a delivery during a run is dropped")
  func ignore() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, whenBusy: .ignore)
    request(loop, at: 0, 4, 12)
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "start 12", "end 22"])
  }

  @Test("L3: `whenBusy` applies at the time of the delivery, not of the request")
  func judgedAtDelivery() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .debounce(.milliseconds(10)), whenBusy: .ignore)
    // The second request is made during the run from 10 to 20, and delivered at 25.
    request(loop, at: 0, 15)
    scheduler.run()
    #expect(script.entries == ["start 10", "end 20", "start 25", "end 35"])
  }

  @Test(
    "L2: a request from the body itself starts another run",
    arguments: [RefreshLoop.WhenBusy.rerun, .restart])
  func requestFromBody(_ whenBusy: RefreshLoop.WhenBusy) {
    let script = RefreshScript(scheduler, [.stubborn(10)])
    let relay = Guarded<RefreshLoop?>(nil)
    let loop = RefreshLoop(on: scheduler, whenBusy: whenBusy) {
      if script.count < 3 { relay.withLock { $0 }?.request() }
      try await script.body()
    } onError: { _ in
    }
    relay.withLock { $0 = loop }
    loop.request()
    scheduler.run()
    #expect(
      script.entries == [
        "start 0", "end 10", "start 10", "end 20", "start 20", "end 30", "start 30", "end 40",
      ])
    relay.withLock { $0 = nil }
  }

  @Test("L4: an error is reported before the run counts as over, and stops nothing")
  func errors() async {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop(script)
    request(loop, at: 0, 5)
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 10", "Failure() 10", "start 10", "end 20"])
  }

  @Test("L4: the handler of an error may suspend, and the next run waits for the handler")
  func slowHandler() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let pause = RefreshScript(scheduler, [.ms(5)])
    let loop = RefreshLoop(on: scheduler) {
      try await script.body()
    } onError: { _ in
      try? await pause.body()
    }
    request(loop, at: 0, 5)
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 10", "start 15", "end 25"])
    #expect(pause.entries == ["start 10", "end 15"])
  }

  @Test("L4: a CancellationError is reported unless the run was cancelled")
  func cancellationErrors() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = RefreshLoop(on: scheduler, whenBusy: .restart) {
      try await script.body()
      if script.count == 2 { throw CancellationError() }
    } onError: { error in
      script.add("\(type(of: error))")
    }
    request(loop, at: 0, 5)
    scheduler.run()
    #expect(script.entries == ["start 0", "cancelled 5", "start 5", "end 15", "CancellationError 15"])
  }

  @Test("L4: a cancelled run's error is reported if it is not a CancellationError")
  func errorOfCancelledRun() {
    let script = RefreshScript(
      scheduler, [RefreshScript.Run(microseconds: 10_000, heedsCancellation: false, fails: true), .ms(1)])
    let loop = loop(script, whenBusy: .restart)
    request(loop, at: 0, 5)
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 10", "Failure() 10", "start 10", "end 11"])
  }

  @Test("L6: an observed event requests runs, until the loop is stopped")
  func observation() async {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    let event = LazySimpleEvent(on: scheduler)
    let other = SimpleEvent()
    loop.observe(event)
    loop.observe(other)
    event.trigger()
    other.trigger()
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10"])
    other.trigger()
    scheduler.run()
    #expect(script.count == 2)
    await loop.stop()
    event.trigger()
    other.trigger()
    loop.observe(other)
    other.trigger()
    scheduler.run()
    #expect(script.count == 2)
  }

  @Test("C8: a policy without edges is flagged, and waits for the loop end")
  func noEdges() async {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .throttle(.zero, edges: []))
    #expect(misuses.kinds == [.noEdges])
    loop.request()
    scheduler.run()
    await loop.settle()
    await loop.stop()
    #expect(script.entries == [])
  }
}
