import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L5: the ways in which a loop ends, and the calls that wait for its end.
struct RefreshEndTests {
  private let scheduler = TestScheduler()
  private let misuses = MisuseLog()

  /// Returns a loop and its script.
  private func loop(
    _ script: RefreshScript, _ policy: CoalescingPolicy = .nextTurn, whenBusy: RefreshLoop.WhenBusy = .rerun
  ) -> RefreshLoop {
    RefreshLoop(on: scheduler, policy: policy, whenBusy: whenBusy, misuse: misuses.handler) {
      try await script.body()
    } onError: { error in
      script.add("\(error)")
    }
  }

  /// Starts a task on the scheduler. The task logs the instant at which an operation returns.
  private func wait(
    _ script: RefreshScript, _ name: String, _ operation: @escaping @Sendable () async -> Void
  )
    -> Task<Void, Never>
  {
    Task(executorPreference: scheduler) {
      await operation()
      script.add(name)
    }
  }

  @Test(
    "L5: stop waits for the run in progress, and drops pending requests",
    arguments: RefreshLoop.WhenBusy.modes)
  func stopDuringRun(_ whenBusy: RefreshLoop.WhenBusy) {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, whenBusy: whenBusy)
    scheduler.at(0) { loop.request() }
    scheduler.advance(toMilliseconds: 4)
    let task = wait(script, "stopped") {
      loop.request()
      await loop.stop()
    }
    scheduler.advance(toMilliseconds: 5)
    loop.request()
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "stopped 10"])
    withExtendedLifetime(task) {}
  }

  @Test(
    "L5: stop drops a pending delivery, and returns immediately if nothing runs",
    arguments: Policies.all)
  func stopIdle(_ policy: CoalescingPolicy) async {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, policy)
    loop.request()
    await loop.stop()
    loop.request()
    scheduler.run()
    #expect(script.entries == [])
    await loop.stop()
    await loop.settle()
  }

  @Test("L5: a run whose task has not begun does not start after the loop is deallocated")
  func deallocationBeforeBeginning() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let relay = Guarded<RefreshLoop?>(loop(script))
    relay.withLock { $0 }?.request()
    // The job of the run's task is queued, and comes after this release.
    _ = relay.exchange(nil)
    scheduler.run()
    #expect(script.entries == [])
  }

  @Test("L5: settle waits until nothing runs and nothing is pending", arguments: RefreshLoop.WhenBusy.modes)
  func settle(_ whenBusy: RefreshLoop.WhenBusy) {
    let script = RefreshScript(scheduler, [.stubborn(10)])
    let loop = loop(script, .debounce(.milliseconds(20)), whenBusy: whenBusy)
    loop.request()
    let task = wait(script, "settled") { await loop.settle() }
    scheduler.at(25) { loop.request() }
    scheduler.run()
    #expect(script.entries == ["start 20", "end 30", "start 45", "end 55", "settled 55"])
    withExtendedLifetime(task) {}
  }

  @Test("L5: settle waits for the request of a notification, but not for a pending notification")
  func settleEvents() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    let early = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(5)))
    let late = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(30)))
    loop.observe(early)
    loop.observe(late)
    let task = wait(script, "settled") {
      late.trigger()
      await loop.settle()
      script.add("idle")
      early.trigger()
      loop.request()
      await loop.settle()
    }
    scheduler.run()
    #expect(
      script.entries == [
        "idle 0", "start 0", "end 10", "start 10", "end 20", "settled 20", "start 30", "end 40",
      ])
    withExtendedLifetime(task) {}
  }

  @Test(
    "L5: settle returns immediately if nothing runs and nothing is pending", arguments: Policies.all)
  func settleIdle(_ policy: CoalescingPolicy) async {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, policy)
    await loop.settle()
    loop.request()
    scheduler.run()
    await loop.settle()
    #expect(script.count == 1)
  }

  @Test("L5: settle returns when its task is cancelled, before or during the wait")
  func settleCancelled() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script)
    loop.request()
    let early = wait(script, "early") { await loop.settle() }
    early.cancel()
    let late = wait(script, "late") { await loop.settle() }
    let other = wait(script, "other") { await loop.settle() }
    scheduler.at(4) { late.cancel() }
    scheduler.run()
    #expect(script.entries == ["start 0", "early 0", "late 4", "end 10", "other 10"])
    withExtendedLifetime(other) {}
  }

  @Test("L5: a task that a run has started may wait for a later run, and is not flagged")
  func settleOfEarlierRun() {
    let script = RefreshScript(scheduler, [.ms(10), .ms(20)])
    let relay = Shared<RefreshLoop?>(nil)
    let loop = RefreshLoop(on: scheduler, misuse: misuses.handler) { [scheduler] in
      if script.count == 0 {
        Task {
          try await scheduler.clock.sleep(until: .ms(25))
          let isSettled = await relay.value?.settle()
          script.add("settled \(isSettled == true)")
        }
      }
      try await script.body()
    } onError: { _ in
    }
    relay.value = loop
    loop.request()
    scheduler.at(20) { loop.request() }
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "start 20", "end 40", "settled true 40"])
    #expect(misuses.kinds == [])
    relay.value = nil
  }

  @Test("L5: stop ends the waits of settle when nothing runs")
  func stopEndsWaits() async {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .debounce(.seconds(60)))
    loop.request()
    let task = wait(script, "settled") { await loop.settle() }
    scheduler.advance(toMilliseconds: 5)
    await loop.stop()
    scheduler.advance()
    #expect(script.entries == ["settled 5"])
    withExtendedLifetime(task) {}
  }

  @Test(
    "L5: a loop that is deallocated starts nothing, and its run continues",
    arguments: RefreshLoop.WhenBusy.modes)
  func deallocation(_ whenBusy: RefreshLoop.WhenBusy) {
    let script = RefreshScript(scheduler, [.ms(10)])
    var loop: RefreshLoop? = loop(script, whenBusy: whenBusy)
    loop?.request()
    scheduler.advance(toMilliseconds: 4)
    loop?.request()
    loop = nil
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10"])
    #expect(scheduler.pendingCount == 0)
  }

  @Test(
    "L5: stop and deallocation release the body, and end the observation of events", arguments: [true, false])
  func release(isStopped: Bool) async {
    weak var canary: Canary?
    var loop: RefreshLoop?
    do {
      let captured = CapturedCanary()
      canary = captured.canary
      loop = RefreshLoop(on: scheduler) { withExtendedLifetime(captured) {} }
    }
    let event = SimpleEvent()
    loop?.observe(event)
    event.trigger()
    scheduler.run()
    #expect(canary != nil)
    if isStopped { await loop?.stop() } else { loop = nil }
    #expect(canary == nil)
    event.trigger()
    #expect(scheduler.pendingCount == 0)
    withExtendedLifetime(loop) {}
  }

  @Test("L5: settle and stop in the body's own task are flagged and do not wait")
  func waitInBody() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let relay = Guarded<RefreshLoop?>(nil)
    let loop = RefreshLoop(on: scheduler, misuse: misuses.handler) {
      script.add("start")
      await relay.withLock { $0 }?.settle()
      await relay.withLock { $0 }?.stop()
      script.add("end")
    }
    relay.withLock { $0 = loop }
    loop.request()
    scheduler.run()
    #expect(script.entries == ["start 0", "end 0"])
    #expect(misuses.kinds == [.waitedInsideRun, .waitedInsideRun])
    loop.request()
    scheduler.run()
    #expect(script.entries.count == 2)
    relay.withLock { $0 = nil }
  }

  @Test("L5: a detached task that the body starts may stop the loop")
  func stopFromOtherTask() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let relay = Guarded<RefreshLoop?>(nil)
    let loop = RefreshLoop(on: scheduler, misuse: misuses.handler) {
      let loop = relay.withLock { $0 }
      Task.detached(executorPreference: scheduler) {
        await loop?.stop()
        script.add("stopped")
      }
      try? await script.body()
    }
    relay.withLock { $0 = loop }
    loop.request()
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "stopped 10"])
    #expect(misuses.kinds == [])
    relay.withLock { $0 = nil }
  }

  /// Carries a canary into a `Sendable` closure. The closure does not use the canary.
  private final class CapturedCanary: @unchecked Sendable {
    let canary: Canary = Canary()
  }
}
