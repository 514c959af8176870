import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

@Suite struct SimpleEventGroupObserverTests {
  private let scheduler = TestScheduler()
  private let a = SimpleEvent()
  private let b = SimpleEvent()
  private let c = SimpleEvent()
  private let log = Log()

  private func observe(
    _ events: [any SimpleEventObservable], _ policy: CoalescingPolicy = .nextTurn
  ) -> SimpleEventGroupObserver {
    SimpleEventGroupObserver(events: events, policy: policy, scheduler: scheduler) { [log, a, b, c] fired in
      let names = fired.map { $0 === a ? "a" : $0 === b ? "b" : $0 === c ? "c" : "?" }
      log.add(names.joined())
    }
  }

  @Test func `E8 receives the events that fired, once each, in the order in which they first did`() {
    let observer = observe([a, b, c])
    c.trigger()
    a.trigger()
    c.trigger()
    scheduler.run()
    #expect(log.entries == ["ca"])
    b.trigger()
    scheduler.run()
    #expect(log.entries == ["ca", "b"])
    withExtendedLifetime(observer) {}
  }

  @Test func `E8 is never called with none`() {
    let observer = observe([a, b], .throttle(.milliseconds(10)))
    a.trigger()
    scheduler.run()
    scheduler.advance(by: .seconds(1))
    observer.flush()
    #expect(log.entries == ["a"])
  }

  @Test func `E8 an event that fires in the block is part of the next call`() {
    var observer: SimpleEventGroupObserver?
    observer = SimpleEventGroupObserver(events: a, b, policy: .nextTurn, scheduler: scheduler) {
      [log, a, b] fired in
      log.add("\(fired.count)")
      if log.entries.count == 1 {
        a.trigger()
        b.trigger()
        a.trigger()
      }
    }
    a.trigger()
    scheduler.run()
    #expect(log.entries == ["1", "2"])
    withExtendedLifetime(observer) {}
  }

  @Test func `E8 events that a leading policy ignored are part of the next delivery`() {
    let observer = observe([a, b], .debounce(.milliseconds(10), edges: .leading))
    a.trigger()
    scheduler.run()
    b.trigger()
    scheduler.advance(by: .milliseconds(20))
    a.trigger()
    scheduler.run()
    #expect(log.entries == ["a", "ba"])
    withExtendedLifetime(observer) {}
  }

  @Test func `E8 an event that is listed twice is observed once`() {
    let observer = observe([a, a, b, a])
    a.trigger()
    scheduler.run()
    #expect(log.entries == ["a"])
    observer.remove()
  }

  @Test func `E8 holds its events until it is removed`() {
    weak var event: SimpleEvent?
    var observer: SimpleEventGroupObserver?
    do {
      let strong = SimpleEvent()
      event = strong
      observer = observe([strong])
      strong.trigger()
    }
    #expect(event != nil)
    observer?.remove()
    #expect(event == nil)
    observer = nil
  }

  @Test func `E8 removal is idempotent, and comes with deallocation`() {
    let observer = observe([a])
    observer.remove()
    observer.remove()
    a.trigger()
    scheduler.run()
    #expect(log.entries == [])

    do {
      let short = observe([a])
      a.trigger()
      withExtendedLifetime(short) {}
    }
    scheduler.run()
    a.trigger()
    scheduler.run()
    #expect(log.entries == [])
  }

  @Test func `E6 nothing is delivered after remove, not even what was asked for before`() {
    let observer = observe([a, b])
    a.trigger()
    observer.remove()
    observer.simpleEventDidTrigger(b)
    scheduler.run()
    observer.flush()
    #expect(log.entries == [])
  }

  @Test func `takes events from outside as its own`() {
    let observer = observe([a])
    observer.simpleEventDidTrigger(b)
    a.trigger()
    scheduler.run()
    #expect(log.entries == ["ba"])
  }

  @Test func `flush delivers what is pending at once`() {
    let observer = observe([a, b], .debounce(.seconds(1), maxWait: .seconds(5)))
    a.trigger()
    observer.flush()
    #expect(log.entries == ["a"])
    scheduler.run()
    #expect(log.entries == ["a"])
  }

  @Test func `observes the user's own observables, and lazy events`() {
    let lazy = LazySimpleEvent(scheduler: scheduler)
    let observer = SimpleEventGroupObserver(events: lazy, policy: .nextTurn, scheduler: scheduler) {
      [log] fired in log.add("\(fired.first === lazy)")
    }
    lazy.trigger()
    scheduler.run()
    #expect(log.entries == ["true"])
    withExtendedLifetime(observer) {}
  }

  @Test func `C8 a timeout that is not a number is flagged, and means next turn`() {
    let misuses = MisuseLog()
    let observer = SimpleEventGroupObserver(events: a, debounceTimeout: .nan, misuse: misuses.handler) { _ in
    }
    #expect(misuses.kinds == [.notANumber])
    #expect(misuses.all[0].fileID == "SimpleEventsTests/SimpleEventGroupObserverTests.swift")
    observer.remove()
  }

  @Test(arguments: [Double.infinity, 1e300, -1, 0, -Double.infinity])
  func `C8 any other timeout is taken`(_ timeout: Double) {
    let misuses = MisuseLog()
    let observer = SimpleEventGroupObserver(events: a, debounceTimeout: timeout, misuse: misuses.handler) {
      _ in
    }
    a.trigger()
    observer.remove()
    #expect(misuses.kinds == [])
  }
}
