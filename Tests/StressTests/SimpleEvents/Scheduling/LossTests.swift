import Dispatch
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// S7: when the actor of a scheduler is deallocated, all waits for the scheduler end.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LossTests {
  private actor Plain {}

  /// The scheduler of an actor that is deallocated when the test decides.
  private final class Doomed: Sendable {
    let scheduler: ActorScheduler
    /// Guards the actor. It is released after the lock is released.
    private let actor: Guarded<Plain?>

    init() {
      let actor = Plain()
      scheduler = ActorScheduler(actor)
      self.actor = Guarded(actor)
    }

    func end() { _ = actor.exchange(nil) }
  }

  @Test("S7: a sleep on the clock of a deallocated actor throws", arguments: [false, true])
  func sleep(_ isAsleep: Bool) async {
    let doomed = Doomed()
    let clock = SchedulerClock(doomed.scheduler)
    if !isAsleep { doomed.end() }
    await #expect(throws: CancellationError.self) {
      async let sleep: Void = clock.sleep(for: .milliseconds(5))
      doomed.end()
      try await sleep
    }
  }

  @Test(
    "S7: settle returns when the actor is deallocated",
    arguments: [CoalescingPolicy.debounce(.milliseconds(1)), .audit(.milliseconds(1))])
  func settle(_ policy: CoalescingPolicy) async {
    let doomed = Doomed()
    let runs = Log()
    let loop = RefreshLoop(on: doomed.scheduler, policy: policy) { runs.add("run") }
    doomed.end()
    loop.request()
    await loop.settle()
    #expect(runs.entries == [])
    loop.request()
    await loop.settle()
    await loop.stop()
  }

  @Test("S7: settle returns when the actor is deallocated before the deadline")
  func settleBeforeDeadline() async {
    let doomed = Doomed()
    let loop = RefreshLoop(on: doomed.scheduler, policy: .audit(.milliseconds(5))) {}
    loop.request()
    doomed.end()
    await loop.settle()
  }

  @Test(
    "S7: a batch loop discards queued elements when the actor is deallocated, also in a retry, and settles")
  func batches() async {
    struct Failure: Error {}
    let doomed = Doomed()
    let waiting = BatchLoop<Int>(
      on: doomed.scheduler, policy: .audit(.milliseconds(5)), keeping: .unlimited
    ) { _ in }
    let retrying = BatchLoop<Int>(
      on: doomed.scheduler, keeping: .unlimited, retry: .constant(.milliseconds(5))
    ) { _ in
      throw Failure()
    } onError: { _, _ in
    }
    waiting.add(1)
    retrying.add(1)
    doomed.end()
    await waiting.settle()
    await retrying.settle()
    #expect(!waiting.isPending && !retrying.isPending)
  }

  @Test("S7: an iterator of an event that can no longer notify returns nil")
  func notifications() async {
    let doomed = Doomed()
    let event = LazySimpleEvent(on: doomed.scheduler)
    let notifications = event.notifications
    doomed.end()
    async let next: Void? = {
      var iterator = notifications.makeAsyncIterator()
      return await iterator.next()
    }()
    event.trigger()
    #expect(await next == nil)
    var late = notifications.makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test("S7: an iterator that waits after the loss returns nil if its event is not triggered")
  func untriggeredNotifications() async {
    let doomed = Doomed()
    let event = LazySimpleEvent(on: doomed.scheduler)
    let early = event.notifications
    doomed.end()
    for notifications in [early, event.notifications] {
      var iterator = notifications.makeAsyncIterator()
      #expect(await iterator.next() == nil)
    }
    withExtendedLifetime(event) {}
  }

  @Test("S7: an iterator may wait on an actor whose executor does not know whether the caller is on it")
  func notificationsOnMuteExecutor() async {
    let actor = ActorOnExecutor(MuteExecutor())
    let event = LazySimpleEvent(on: .actor(actor))
    let notifications = event.notifications
    async let next: Void? = {
      var iterator = notifications.makeAsyncIterator()
      return await iterator.next()
    }()
    // The turn that a wait requests has run by now, or comes after this work.
    await actor.run {}
    event.trigger()
    #expect(await next != nil)
    withExtendedLifetime(actor) {}
  }

  @Test("S7: nothing stays pending on a scheduler that is lost, and elements are released")
  func pending() {
    let doomed = Doomed()
    doomed.end()
    let log = Log()
    let collector = CoalescingCollector<Canary>(on: doomed.scheduler, keeping: .unlimited) { _ in
      log.add("batch")
    }
    let callback = CoalescingCallback(on: doomed.scheduler) { log.add("call") }
    let event = LazySimpleEvent(on: doomed.scheduler)
    let token = event.addObserver { _ in log.add("event") }
    let group = SimpleEventGroupObserver(of: event, on: doomed.scheduler) { _ in log.add("group") }
    for _ in 0..<3 {
      collector.add(Canary { log.add("released") })
      callback.schedule()
      event.trigger()
      #expect(!collector.isPending && !callback.isPending && !event.isPending && !group.isPending)
    }
    #expect(log.entries == ["released", "released", "released"])
    withExtendedLifetime(token) {}
  }

  @Test("S7: a removal after the loss is not flagged, and the block is released")
  func removal() {
    let doomed = Doomed()
    doomed.end()
    let misuses = MisuseLog()
    let log = Log()
    let event = LazySimpleEvent(on: doomed.scheduler, misuse: misuses.handler)
    let notifications = event.notifications
    let token = event.addObserver { [canary = Canary { log.add("released") }] _ in
      withExtendedLifetime(canary) {}
    }
    event.trigger()
    #expect(log.entries == [])
    token?.remove()
    #expect(log.entries == ["released"])
    #expect(misuses.messages == [])
    withExtendedLifetime(notifications) {}
  }

  @Test("S7: a cancelled alarm is no loss", arguments: OneHopTests.timed)
  func cancelledAlarm(_ policy: CoalescingPolicy) {
    let scheduler = TestScheduler()
    let log = Log()
    let callback = CoalescingCallback(on: scheduler, policy: policy) { log.add("\(scheduler.milliseconds)") }
    callback.schedule()
    callback.cancel()
    callback.schedule()
    callback.flush()
    callback.schedule()
    scheduler.advance(toMilliseconds: 50)
    #expect(log.entries == ["0", "10"])
  }

  @Test("S7: a client's scheduler that releases work without running it also ends the waits")
  func clientScheduler() async {
    let scheduler = ForgetfulScheduler()
    let loop = RefreshLoop(on: scheduler, policy: .audit(.milliseconds(1))) {}
    loop.request()
    async let settled = loop.settle()
    scheduler.forget()
    _ = await settled
    let log = Log()
    let sleep = PendingSleep()
    sleep.begin(on: scheduler, until: .distantFuture, tolerance: .zero) { log.add("\($0)") }
    #expect(log.entries == [])
    scheduler.forget()
    sleep.cancel()
    #expect(log.entries == ["cancelled"])
  }

  @Test("S7: the scheduler of an actor passes on the loss of its clock")
  func clockOfAnActor() {
    actor Owner {}
    let owner = Owner()
    let clock = ForgetfulScheduler()
    let scheduler = ActorScheduler(owner, clock: clock)
    let callback = CoalescingCallback(on: scheduler, policy: .audit(.milliseconds(1))) {}
    callback.schedule()
    #expect(callback.isPending)
    clock.forget()
    #expect(!callback.isPending)
    let log = Log()
    let sleep = PendingSleep()
    sleep.begin(on: scheduler, until: .distantFuture, tolerance: .zero) { log.add("\($0)") }
    clock.forget()
    #expect(log.entries == ["cancelled"])
    withExtendedLifetime(owner) {}
  }
}
