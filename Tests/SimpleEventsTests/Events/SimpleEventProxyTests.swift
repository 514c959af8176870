import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// E7 and E6 for a proxy, in virtual time.
struct SimpleEventProxyTests {
  private let scheduler = TestScheduler()
  private let a = SimpleEvent()
  private let b = SimpleEvent()

  @Test("E7: a proxy notifies once per turn for its sources and its own triggers")
  func notifiesOncePerTurn() {
    let proxy = SimpleEventProxy(of: a, b, on: scheduler)
    let recorder = EventRecorder(proxy, on: scheduler)
    a.trigger()
    b.trigger()
    b.trigger()
    proxy.trigger()
    proxy.trigger(if: false)
    #expect(recorder.count == 0)
    scheduler.run()
    #expect(recorder.count == 1)
    b.trigger()
    scheduler.run()
    #expect(recorder.count == 2)
    withExtendedLifetime(proxy) {}
  }

  @Test("E7: observers of a proxy receive the proxy, not the source")
  func passesItself() {
    let proxy = SimpleEventProxy(of: [a], on: scheduler)
    var seen: [ObjectIdentifier] = []
    let token = proxy.addObserver { seen.append(ObjectIdentifier($0)) }
    a.trigger()
    scheduler.run()
    #expect(seen == [ObjectIdentifier(proxy)])
    withExtendedLifetime(token) {}
    withExtendedLifetime(proxy) {}
  }

  @Test("E7: a lazy source and its proxy take two turns of the same instant")
  func lazySource() {
    let source = LazySimpleEvent(on: scheduler)
    let proxy = SimpleEventProxy(of: source, on: scheduler)
    let recorder = EventRecorder(proxy, on: scheduler)
    source.trigger()
    #expect(scheduler.run(limit: 1) == 1)
    #expect(recorder.count == 0)
    #expect(scheduler.run(limit: 1) == 1)
    #expect(recorder.milliseconds == [0])
    withExtendedLifetime(proxy) {}
  }

  @Test("E7: a proxy notifies at the instants that its policy sets")
  func followsPolicy() {
    let proxy = SimpleEventProxy(of: a, on: scheduler, policy: .debounce(.milliseconds(5)))
    let recorder = EventRecorder(proxy, on: scheduler)
    scheduler.at(0) { [proxy] in proxy.trigger() }
    scheduler.at(3) { [proxy] in proxy.trigger() }
    scheduler.run()
    #expect(recorder.milliseconds == [8])
    withExtendedLifetime(proxy) {}
  }

  @Test("E7: a proxy without sources notifies for its own triggers")
  func noSources() {
    let proxy = SimpleEventProxy(of: [], on: scheduler)
    let recorder = EventRecorder(proxy, on: scheduler)
    proxy.trigger()
    scheduler.run()
    #expect(recorder.count == 1)
    withExtendedLifetime(proxy) {}
  }

  @Test("E6: a deallocated proxy delivers nothing and no longer observes its sources")
  func deallocation() {
    var count = 0
    var token: (any SimpleEventToken)?
    do {
      let proxy = SimpleEventProxy(of: a, on: scheduler)
      proxy.addObserver(&token) { _ in count += 1 }
      a.trigger()
    }
    scheduler.run()
    #expect(count == 0)
    a.trigger()
    #expect(scheduler.pendingCount == 0, "the source asks for no turn")
    token?.remove()
  }

  @Test("E7: a proxy does not keep its sources alive")
  func holdsSourcesWeakly() {
    weak var source: SimpleEvent?
    let proxy: SimpleEventProxy
    let recorder: EventRecorder
    do {
      let strong = SimpleEvent()
      source = strong
      proxy = SimpleEventProxy(of: strong, on: scheduler)
      recorder = EventRecorder(proxy, on: scheduler)
    }
    #expect(source == nil)
    proxy.trigger()
    scheduler.run()
    #expect(recorder.count == 1, "a proxy outlives its sources")
  }

  @Test("E7: a proxy can be the event of a mailbox")
  func mailboxEvent() {
    let proxy = SimpleEventProxy(of: a, on: scheduler)
    let mailbox = SimpleMailbox<Int>(event: proxy)
    let recorder = EventRecorder(proxy, on: scheduler)
    mailbox.placeIfFits(1)
    scheduler.run()
    #expect(recorder.count == 1)
    withExtendedLifetime(proxy) {}
  }
}
