import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Everything goes when it is dropped, whatever it was about to do.
@Suite struct ReleaseTests {
  /// What a callback, or anything with one inside, may be doing when it is dropped.
  enum Moment: CaseIterable {
    case idle
    case pending
    case armed
    case delivered
    case cancelled

    var policy: CoalescingPolicy { self == .armed ? .debounce(.seconds(1)) : .nextTurn }

    func prepare(_ callback: CoalescingCallback, on scheduler: TestScheduler) {
      prepare(on: scheduler, signal: { callback.schedule() }, cancel: { callback.cancel() })
    }

    func prepare(on scheduler: TestScheduler, signal: () -> Void, cancel: () -> Void = {}) {
      if self != .idle { signal() }
      if self == .delivered { scheduler.advance() }
      if self == .cancelled { cancel() }
    }
  }

  @Test func `H2: a hub goes, and keeps no observer`() {
    weak var weakHub: ObserverHub<Observer>?
    weak var weakObserver: Observer?
    do {
      let hub = ObserverHub<Observer>()
      let observer = Observer()
      (weakHub, weakObserver) = (hub, observer)
      hub.add(observer)
      hub.forEach { _ in }
      hub.remove(observer)
    }
    #expect(weakHub == nil)
    #expect(weakObserver == nil)
  }

  @Test func `an event goes, and what its blocks captured, though a token is kept`() {
    let token: (any SimpleEventToken)?
    weak var weakEvent: SimpleEvent?
    weak var captured: Canary?
    do {
      let event = SimpleEvent()
      let canary = Canary()
      (weakEvent, captured) = (event, canary)
      token = event.addObserver { _ in withExtendedLifetime(canary) {} }
      event.trigger()
      #expect(captured != nil)
    }
    #expect(weakEvent == nil)
    #expect(captured == nil)
    token?.remove()
  }

  @Test(arguments: Moment.allCases)
  func `a lazy event goes, and what its blocks captured, though a token is kept`(_ moment: Moment) {
    let scheduler = TestScheduler()
    let token: (any SimpleEventToken)?
    weak var weakEvent: LazySimpleEvent?
    weak var captured: Canary?
    var calls = 0
    do {
      let event = LazySimpleEvent(scheduler: scheduler, policy: moment.policy)
      let canary = Canary()
      (weakEvent, captured) = (event, canary)
      token = event.addObserver { _ in withExtendedLifetime(canary) { calls += 1 } }
      moment.prepare(on: scheduler, signal: { event.trigger() })
    }
    #expect(weakEvent == nil)
    #expect(captured == nil)
    #expect(moment != .armed || scheduler.pendingCount == 0)
    scheduler.run()
    #expect(calls == (moment == .delivered ? 1 : 0))
    withExtendedLifetime(token) {}
  }

  @Test(arguments: Moment.allCases)
  func `a callback goes with its closure, and takes its timer along`(_ moment: Moment) {
    let scheduler = TestScheduler()
    weak var weakCallback: CoalescingCallback?
    weak var captured: Canary?
    var calls = 0
    do {
      let canary = Canary()
      let callback = CoalescingCallback(scheduler: scheduler, policy: moment.policy) {
        withExtendedLifetime(canary) { calls += 1 }
      }
      (weakCallback, captured) = (callback, canary)
      moment.prepare(callback, on: scheduler)
    }
    #expect(weakCallback == nil)
    #expect(captured == nil)
    #expect(moment != .armed || scheduler.pendingCount == 0)
    scheduler.run()
    #expect(calls == (moment == .delivered ? 1 : 0))
  }

  @Test(arguments: Moment.allCases)
  func `a proxy goes, and leaves nothing in its sources`(_ moment: Moment) {
    let scheduler = TestScheduler()
    let source = SimpleEvent()
    weak var weakProxy: SimpleEventProxy?
    do {
      let proxy = SimpleEventProxy(scheduler: scheduler, policy: moment.policy, events: source)
      weakProxy = proxy
      moment.prepare(on: scheduler, signal: { source.trigger() })
    }
    #expect(weakProxy == nil)
    #expect(source.debugDescription == "SimpleEvent, 0 observers")
    let pending = scheduler.pendingCount
    source.trigger()
    #expect(scheduler.pendingCount == pending)
  }

  @Test(arguments: Moment.allCases)
  func `a group observer goes, with its block and the events that it held`(_ moment: Moment) {
    let scheduler = TestScheduler()
    weak var weakGroup: SimpleEventGroupObserver?
    weak var weakEvent: SimpleEvent?
    weak var captured: Canary?
    var batches = 0
    do {
      let event = SimpleEvent()
      let canary = Canary()
      let group = SimpleEventGroupObserver(events: event, policy: moment.policy, scheduler: scheduler) { _ in
        withExtendedLifetime(canary) { batches += 1 }
      }
      (weakGroup, weakEvent, captured) = (group, event, canary)
      moment.prepare(on: scheduler, signal: { event.trigger() }, cancel: { group.remove() })
    }
    #expect(weakGroup == nil)
    #expect(weakEvent == nil)
    #expect(captured == nil)
    scheduler.run()
    #expect(batches == (moment == .delivered ? 1 : 0))
  }

  @Test func `E6: a group observer that is removed gives back its timer`() {
    let scheduler = TestScheduler()
    let event = SimpleEvent()
    let group = SimpleEventGroupObserver(
      events: event, policy: Moment.armed.policy, scheduler: scheduler
    ) { _ in }
    event.trigger()
    #expect(scheduler.pendingCount == 1)
    group.remove()
    #expect(scheduler.pendingCount == 0)
  }

  @Test func `a token goes, and its block with it, though the event lives`() {
    let event = SimpleEvent()
    weak var captured: Canary?
    weak var weakToken: (any SimpleEventToken)?
    do {
      let canary = Canary()
      let token = event.addObserver { _ in withExtendedLifetime(canary) {} }
      (captured, weakToken) = (canary, token)
    }
    #expect(weakToken == nil)
    #expect(captured == nil)
  }

  @Test func `a mailbox lets go of a value that is taken, replaced, or dropped with it`() {
    weak var first: Canary?
    weak var second: Canary?
    weak var third: Canary?
    weak var weakEvent: LazySimpleEvent?
    do {
      let event = LazySimpleEvent(scheduler: TestScheduler())
      weakEvent = event
      let box = SimpleMailbox<Canary>(event: event)
      func put(_ canary: Canary) -> Canary {
        box.replaceEvenIfSame(canary)
        return canary
      }
      first = put(Canary())
      second = put(Canary())
      #expect(first == nil)
      _ = box.take()
      #expect(second == nil)
      third = put(Canary())
      #expect(third != nil)
    }
    #expect(third == nil)
    #expect(weakEvent == nil)
  }
}

private final class Observer {}
