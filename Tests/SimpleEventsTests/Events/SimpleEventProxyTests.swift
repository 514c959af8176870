import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

@Suite struct SimpleEventProxyTests {
  private let scheduler = TestScheduler()
  private let a = SimpleEvent()
  private let b = SimpleEvent()

  @Test func `E7 fires once per turn for any of its sources and its own triggers`() {
    let proxy = SimpleEventProxy(scheduler: scheduler, events: a, b)
    let recorder = EventRecorder(proxy, scheduler: scheduler)
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

  @Test func `E7 hands over itself, not its source`() {
    let proxy = SimpleEventProxy(scheduler: scheduler, events: [a])
    var seen: [ObjectIdentifier] = []
    let token = proxy.addObserver { seen.append(ObjectIdentifier($0)) }
    a.trigger()
    scheduler.run()
    #expect(seen == [ObjectIdentifier(proxy)])
    withExtendedLifetime(token) {}
    withExtendedLifetime(proxy) {}
  }

  @Test func `a lazy source takes two turns of the same instant`() {
    let source = LazySimpleEvent(scheduler: scheduler)
    let proxy = SimpleEventProxy(scheduler: scheduler, events: source)
    let recorder = EventRecorder(proxy, scheduler: scheduler)
    source.trigger()
    #expect(scheduler.run(limit: 1) == 1)
    #expect(recorder.count == 0)
    #expect(scheduler.run(limit: 1) == 1)
    #expect(recorder.milliseconds == [0])
    withExtendedLifetime(proxy) {}
  }

  @Test func `takes a policy, and no sources at all`() {
    let proxy = SimpleEventProxy(scheduler: scheduler, policy: .debounce(.milliseconds(5)), events: a)
    let recorder = EventRecorder(proxy, scheduler: scheduler)
    scheduler.at(0) { [proxy] in proxy.trigger() }
    scheduler.at(3) { [proxy] in proxy.trigger() }
    scheduler.run()
    #expect(recorder.milliseconds == [8])

    let empty = SimpleEventProxy(scheduler: scheduler, events: [])
    let other = EventRecorder(empty, scheduler: scheduler)
    empty.trigger()
    scheduler.run()
    #expect(other.count == 1)
    withExtendedLifetime(proxy) {}
  }

  @Test func `E6 a dropped proxy delivers nothing, and leaves its sources`() {
    var count = 0
    var token: (any SimpleEventToken)?
    do {
      let proxy = SimpleEventProxy(scheduler: scheduler, events: a)
      proxy.addObserver(&token) { _ in count += 1 }
      a.trigger()
    }
    scheduler.run()
    #expect(count == 0)
    a.trigger()
    #expect(scheduler.pendingCount == 0, "the source no longer reaches the proxy")
    token?.remove()
  }

  @Test func `does not keep its sources alive`() {
    weak var source: SimpleEvent?
    let proxy: SimpleEventProxy
    do {
      let strong = SimpleEvent()
      source = strong
      proxy = SimpleEventProxy(scheduler: scheduler, events: strong)
    }
    #expect(source == nil)
    proxy.trigger()
  }

  @Test func `is a lazy event itself`() {
    let proxy = SimpleEventProxy(scheduler: scheduler, events: a)
    let mailbox = SimpleMailbox<Int>(event: proxy)
    let recorder = EventRecorder(proxy, scheduler: scheduler)
    mailbox.placeIfFits(1)
    scheduler.run()
    #expect(recorder.count == 1)
    withExtendedLifetime(proxy) {}
  }
}
