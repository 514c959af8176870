import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

@Suite struct LazyEventClientTests {
  let scheduler = TestScheduler()
  let log = Log()

  @Test func `many triggers make one notification, later`() {
    let event = LazySimpleEvent(scheduler: scheduler)
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

  @Test func `a trigger from inside a notification makes one more, not a nested one`() {
    let event = LazySimpleEvent(scheduler: scheduler)
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

  @Test func `an observer that is removed meanwhile is not called`() {
    let event = LazySimpleEvent(scheduler: scheduler)
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

  @Test func `a mailbox holds one job until it is taken`() {
    let producer = Producer(event: LazySimpleEvent(scheduler: scheduler))
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

  @Test func `a mailbox tells an empty value from none`() {
    let producer = Producer(event: LazySimpleEvent(scheduler: scheduler))
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

  @Test func `a mailbox triggers when something has changed`() {
    let event = LazySimpleEvent(scheduler: scheduler)
    let box = SimpleMailbox<Int>(event: event)
    let recorder = EventRecorder(event, scheduler: scheduler)
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

  @Test func `a proxy fires once for its sources and its own trigger`() {
    let cover = StoredTrack(title: "Cover")
    let lazy = LazySimpleEvent(scheduler: scheduler)
    let proxy = SimpleEventProxy(scheduler: scheduler, events: cover.didChange, lazy)
    let observable: SimpleEventObservable = proxy
    var token: SimpleEventToken?
    observable.addObserver(&token) { [log] sender in log.add("\(sender === proxy)") }
    cover.rename("Sleeve")
    cover.rename("Jacket")
    proxy.trigger(if: true)
    scheduler.run()
    #expect(log.entries == ["true"])
    // A source that is lazy itself takes a turn of its own.
    lazy.trigger()
    scheduler.run()
    #expect(log.entries.count == 2)
  }

  @Test func `a proxy of an array stands where a lazy event is wanted`() {
    let sources = (1...3).map { _ in SimpleEvent() }
    let event: LazySimpleEvent = SimpleEventProxy(scheduler: scheduler, events: sources)
    let box = SimpleMailbox<String>(event: event)
    let recorder = EventRecorder(event, scheduler: scheduler)
    sources.forEach { $0.trigger() }
    box.placeIfFits("request")
    scheduler.run()
    #expect(recorder.count == 1)
  }

  @Test func `a proxy keeps no source alive, and listens no longer when it is gone`() {
    var source: SimpleEvent? = SimpleEvent()
    weak let gone = source
    let proxy = SimpleEventProxy(scheduler: scheduler, events: [source].compactMap { $0 })
    let recorder = EventRecorder(proxy, scheduler: scheduler)
    source?.trigger()
    source = nil
    #expect(gone == nil)
    scheduler.run()
    #expect(recorder.count == 1)

    let survivor = SimpleEvent()
    _ = SimpleEventProxy(scheduler: scheduler, events: survivor)
    survivor.trigger()
    #expect(scheduler.pendingCount == 0)
  }

  @Test func `a callback runs once for many requests`() {
    let callback = CoalescingCallback(scheduler: scheduler) { [log] in log.add("run") }
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
