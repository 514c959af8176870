import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// The deallocation of objects when their last reference is released, in all states.
struct ReleaseTests {
  /// The states that a coalescing object may have when it is deallocated.
  enum State: CaseIterable {
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

  @Test("H2: a hub keeps no observer alive and is deallocated with its last reference")
  func hub() {
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

  @Test("E5: a token keeps neither its event nor the captures of its block alive")
  func event() {
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

  @Test("E5, E6: a lazy event is deallocated with its captures in every state", arguments: State.allCases)
  func lazyEvent(_ state: State) {
    let scheduler = TestScheduler()
    let token: (any SimpleEventToken)?
    weak var weakEvent: LazySimpleEvent?
    weak var captured: Canary?
    var calls = 0
    do {
      let event = LazySimpleEvent(on: scheduler, policy: state.policy)
      let canary = Canary()
      (weakEvent, captured) = (event, canary)
      token = event.addObserver { _ in withExtendedLifetime(canary) { calls += 1 } }
      state.prepare(on: scheduler, signal: { event.trigger() })
    }
    #expect(weakEvent == nil)
    #expect(captured == nil)
    #expect(state != .armed || scheduler.pendingCount == 0)
    scheduler.run()
    #expect(calls == (state == .delivered ? 1 : 0))
    withExtendedLifetime(token) {}
  }

  @Test(
    "E6: a callback is deallocated with its closure and its timer in every state", arguments: State.allCases)
  func callback(_ state: State) {
    let scheduler = TestScheduler()
    weak var weakCallback: CoalescingCallback?
    weak var captured: Canary?
    var calls = 0
    do {
      let canary = Canary()
      let callback = CoalescingCallback(on: scheduler, policy: state.policy) {
        withExtendedLifetime(canary) { calls += 1 }
      }
      (weakCallback, captured) = (callback, canary)
      state.prepare(callback, on: scheduler)
    }
    #expect(weakCallback == nil)
    #expect(captured == nil)
    #expect(state != .armed || scheduler.pendingCount == 0)
    scheduler.run()
    #expect(calls == (state == .delivered ? 1 : 0))
  }

  @Test(
    "E6: a proxy is deallocated in every state and leaves no observer", arguments: State.allCases)
  func proxy(_ state: State) {
    let scheduler = TestScheduler()
    let source = SimpleEvent()
    weak var weakProxy: SimpleEventProxy?
    do {
      let proxy = SimpleEventProxy(of: source, on: scheduler, policy: state.policy)
      weakProxy = proxy
      state.prepare(on: scheduler, signal: { source.trigger() })
    }
    #expect(weakProxy == nil)
    #expect(source.debugDescription == "SimpleEvent, 0 observers")
    let pending = scheduler.pendingCount
    source.trigger()
    #expect(scheduler.pendingCount == pending)
  }

  @Test(
    "E6, E8: a group observer is deallocated with its block and its events in every state",
    arguments: State.allCases)
  func groupObserver(_ state: State) {
    let scheduler = TestScheduler()
    weak var weakGroup: SimpleEventGroupObserver?
    weak var weakEvent: SimpleEvent?
    weak var captured: Canary?
    var batches = 0
    do {
      let event = SimpleEvent()
      let canary = Canary()
      let group = SimpleEventGroupObserver(of: event, on: scheduler, policy: state.policy) { _ in
        withExtendedLifetime(canary) { batches += 1 }
      }
      (weakGroup, weakEvent, captured) = (group, event, canary)
      state.prepare(on: scheduler, signal: { event.trigger() }, cancel: { group.remove() })
    }
    #expect(weakGroup == nil)
    #expect(weakEvent == nil)
    #expect(captured == nil)
    scheduler.run()
    #expect(batches == (state == .delivered ? 1 : 0))
  }

  @Test("E6: removing a group observer cancels its timer")
  func removedGroupObserver() {
    let scheduler = TestScheduler()
    let event = SimpleEvent()
    let group = SimpleEventGroupObserver(of: event, on: scheduler, policy: State.armed.policy) { _ in }
    event.trigger()
    #expect(scheduler.pendingCount == 1)
    group.remove()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("E5: a released token is deallocated with its block, although the event is alive")
  func token() {
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

  @Test("E8: a removed group observer releases the captures of its block")
  func capturesOfRemovedGroupObserver() {
    let event = SimpleEvent()
    weak var captured: Canary?
    let observer: SimpleEventGroupObserver
    do {
      let canary = Canary()
      captured = canary
      observer = SimpleEventGroupObserver(of: event) { _ in withExtendedLifetime(canary) {} }
    }
    #expect(captured != nil)
    observer.remove()
    #expect(captured == nil)
    withExtendedLifetime(observer) {}
  }

  /// A registration that kept the actor alive would form a cycle with the actor and its token.
  @Test("E5: a block keeps no actor alive")
  func blockOfActor() async {
    actor Home {
      private var token: (any SimpleEventToken)?

      func observe(_ event: LazySimpleEvent) {
        event.addObserver(&token) { [weak self] _ in _ = self }
      }
    }
    let event = LazySimpleEvent(on: TestScheduler())
    weak var weakHome: Home?
    do {
      let home = Home()
      weakHome = home
      await home.observe(event)
    }
    #expect(weakHome == nil)
  }

  @Test("M1: a mailbox releases a value that is taken or replaced, and its last value when it is deallocated")
  func mailbox() {
    weak var first: Canary?
    weak var second: Canary?
    weak var third: Canary?
    weak var weakEvent: LazySimpleEvent?
    do {
      let event = LazySimpleEvent(on: TestScheduler())
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
