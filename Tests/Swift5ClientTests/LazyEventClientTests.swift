import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Lazy events, mailboxes, proxies and callbacks in virtual time.
struct LazyEventClientTests {
  let scheduler = TestScheduler()
  let log = Log()

  @Test("E4: many triggers give one later notification")
  func manyTriggers() {
    let event = LazySimpleEvent(on: scheduler)
    var token: SimpleEventToken?
    event.addObserver(&token) { [log] sender in log.add("\(sender === event)") }
    event.trigger()
    event.trigger(if: true)
    event.trigger(if: false)
    #expect(log.entries == [])
    scheduler.run()
    #expect(log.entries == ["true"])
    event.trigger(if: false)
    scheduler.run()
    #expect(log.entries == ["true"])
  }

  @Test("E4: a trigger inside a notification gives one more notification, which is not nested")
  func triggerInsideNotification() {
    let event = LazySimpleEvent(on: scheduler)
    let first = event.addObserver { [log] event in
      log.add("first")
      (event as? LazySimpleEvent)?.trigger(if: log.entries.count < 3)
    }
    let second = event.addObserver { [log] _ in log.add("second") }
    event.trigger()
    scheduler.run()
    #expect(log.entries == ["first", "second", "first", "second"])
    first?.remove()
    second?.remove()
  }

  @Test("E6: an observer that is removed while a notification is pending is not called")
  func removalWhilePending() {
    let event = LazySimpleEvent(on: scheduler)
    let counter = PlayCounter(log: log)
    var token: SimpleEventToken? = event.addObserver { [log] _ in log.add("block") }
    #expect(token != nil)
    event.addObserver(counter)
    event.trigger()
    event.removeObserver(counter)
    token = nil
    scheduler.run()
    #expect(log.entries == [])
  }

  @Test("M1: a mailbox holds one job until it is taken")
  func mailboxHoldsOneValue() {
    let producer = Producer(event: LazySimpleEvent(on: scheduler))
    let consumer = Consumer(producer: producer)
    producer.produce("first")
    producer.produce("second")
    #expect(producer.jobs.hasValue)
    #expect(producer.jobs.value?.name == "first")
    #expect(consumer.names == [])
    scheduler.run()
    #expect(consumer.names == ["first"])
    #expect(producer.jobs.take() == nil)
    #expect(!producer.jobs.hasValue)

    producer.jobs.replaceEvenIfSame(Job("third"))
    producer.jobs.replaceEvenIfSame(Job("fourth"))
    scheduler.run()
    #expect(consumer.names == ["first", "fourth"])
  }

  @Test("M2: a mailbox distinguishes an empty value from no value")
  func mailboxOfOptionals() {
    let producer = Producer(event: LazySimpleEvent(on: scheduler))
    let titles = producer.titles
    #expect(!titles.hasValue)
    titles.replace(nil)
    #expect(titles.hasValue)
    #expect(titles.value == .some(nil))
    #expect(!titles.placeIfFits("Intro"))
    #expect(titles.take() == .some(nil))
    #expect(!titles.hasValue)
    #expect(titles.take() == .none)
    titles.placeIfFits("Intro")
    #expect(titles.take() == "Intro")
  }

  @Test("M1: a mailbox triggers its event when its contents have changed")
  func mailboxTriggers() {
    let event = LazySimpleEvent(on: scheduler)
    let box = SimpleMailbox<Int>(event: event)
    let recorder = EventRecorder(event, on: scheduler)
    func triggers(_ change: () -> Void) -> Bool {
      recorder.removeAll()
      change()
      scheduler.run()
      return recorder.count == 1
    }
    #expect(!triggers { _ = box.take() })
    #expect(triggers { box.replace(1) })
    #expect(!triggers { box.replace(1) })
    #expect(triggers { box.replaceEvenIfSame(1) })
    #expect(!triggers { box.placeIfFits(2) })
    #expect(triggers { box.replace(2) })
    #expect(triggers { _ = box.take() })
    #expect(triggers { box.placeIfFits(3) })
    #expect(box.value == 3)
  }

  @Test("E7: a proxy fires once for its sources and its own trigger")
  func proxy() {
    let cover = StoredTrack(title: "Cover")
    let lazy = LazySimpleEvent(on: scheduler)
    let proxy = SimpleEventProxy(of: cover.didChange, lazy, on: scheduler)
    let observable: SimpleEventObservable = proxy
    var token: SimpleEventToken?
    observable.addObserver(&token) { [log] sender in log.add("\(sender === proxy)") }
    cover.rename("Sleeve")
    cover.rename("Jacket")
    proxy.trigger(if: true)
    scheduler.run()
    #expect(log.entries == ["true"])
    // The trigger of a lazy source takes another turn.
    lazy.trigger()
    scheduler.run()
    #expect(log.entries.count == 2)
  }

  @Test("E7: a proxy whose sources are an array is a lazy event")
  func proxyIsLazyEvent() {
    let sources = (1...3).map { _ in SimpleEvent() }
    let event: LazySimpleEvent = SimpleEventProxy(of: sources, on: scheduler)
    let box = SimpleMailbox<String>(event: event)
    let recorder = EventRecorder(event, on: scheduler)
    sources.forEach { $0.trigger() }
    box.placeIfFits("request")
    scheduler.run()
    #expect(recorder.count == 1)
  }

  @Test("E6, E7: a proxy keeps no source alive and stops observing at its deallocation")
  func proxyLifetime() {
    var source: SimpleEvent? = SimpleEvent()
    weak let weakSource = source
    let proxy = SimpleEventProxy(of: [source].compactMap { $0 }, on: scheduler)
    let recorder = EventRecorder(proxy, on: scheduler)
    source?.trigger()
    source = nil
    #expect(weakSource == nil)
    scheduler.run()
    #expect(recorder.count == 1)

    let survivor = SimpleEvent()
    _ = SimpleEventProxy(of: survivor, on: scheduler)
    survivor.trigger()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("C3: a callback runs once for many requests")
  func callback() {
    let callback = CoalescingCallback(on: scheduler) { [log] in log.add("run") }
    let schedule: () -> Void = callback.schedule
    callback.schedule()
    schedule()
    #expect(log.entries == [])
    scheduler.run()
    #expect(log.entries == ["run"])
    schedule()
    scheduler.run()
    #expect(log.entries.count == 2)
  }
}
