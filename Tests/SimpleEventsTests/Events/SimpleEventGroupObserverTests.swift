import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// E8 and E6 for a group observer, in virtual time.
struct SimpleEventGroupObserverTests {
  private let scheduler = TestScheduler()
  private let a = SimpleEvent()
  private let b = SimpleEvent()
  private let c = SimpleEvent()
  private let log = Log()

  /// Returns an observer that logs the names of the fired events of each delivery as one entry.
  private func observe(
    _ events: [any SimpleEventObservable], _ policy: CoalescingPolicy = .nextTurn
  ) -> SimpleEventGroupObserver {
    SimpleEventGroupObserver(of: events, on: scheduler, policy: policy) { [log, a, b, c] fired in
      let names = fired.map { $0 === a ? "a" : $0 === b ? "b" : $0 === c ? "c" : "?" }
      log.add(names.joined())
    }
  }

  @Test("E8: the block receives each fired event once, in the order in which the events first fired")
  func firedEvents() {
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

  @Test("E8: the block is not called without fired events")
  func noFiredEvents() {
    let observer = observe([a, b], .throttle(.milliseconds(10)))
    a.trigger()
    scheduler.run()
    scheduler.advance(by: .seconds(1))
    observer.flush()
    #expect(log.entries == ["a"])
  }

  @Test("E8: events that fire in the block are part of the next delivery")
  func firingInBlock() {
    let observer = SimpleEventGroupObserver(of: a, b, on: scheduler, policy: .nextTurn) {
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

  @Test("E8: events that a leading-only policy ignored are part of the next delivery")
  func leadingOnlyPolicy() {
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

  @Test("E8: an event that is listed several times is observed once")
  func repeatedEvent() {
    let observer = observe([a, a, b, a])
    a.trigger()
    scheduler.run()
    #expect(log.entries == ["a"])
    observer.remove()
  }

  @Test("E8: the events of a group observer live until it is removed")
  func holdsEvents() {
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

  @Test("E8: removal is idempotent")
  func removalTwice() {
    let observer = observe([a])
    observer.remove()
    observer.remove()
    a.trigger()
    scheduler.run()
    #expect(log.entries == [])
  }

  @Test("E6: a deallocated group observer delivers nothing")
  func deallocation() {
    do {
      let observer = observe([a])
      a.trigger()
      withExtendedLifetime(observer) {}
    }
    scheduler.run()
    a.trigger()
    scheduler.run()
    #expect(log.entries == [])
  }

  @Test("E6: a removed group observer delivers nothing, not even a pending delivery")
  func removal() {
    let observer = observe([a, b])
    a.trigger()
    observer.remove()
    observer.simpleEventDidTrigger(b)
    scheduler.run()
    observer.flush()
    #expect(log.entries == [])
  }

  @Test("E8: an event passed to simpleEventDidTrigger counts as fired")
  func foreignEvent() {
    let observer = observe([a])
    observer.simpleEventDidTrigger(b)
    a.trigger()
    scheduler.run()
    #expect(log.entries == ["ba"])
  }

  @Test("C7: flush delivers the pending events and closes the window")
  func flush() {
    let observer = observe([a, b], .debounce(.seconds(1), maxWait: .seconds(5)))
    a.trigger()
    observer.flush()
    #expect(log.entries == ["a"])
    #expect(scheduler.pendingCount == 0)
    scheduler.run()
    #expect(log.entries == ["a"])
  }

  @Test("E8: a lazy event can be a member of a group")
  func lazyMember() {
    let lazy = LazySimpleEvent(on: scheduler)
    let observer = SimpleEventGroupObserver(of: lazy, on: scheduler, policy: .nextTurn) {
      [log] fired in log.add("\(fired.first === lazy)")
    }
    lazy.trigger()
    scheduler.run()
    #expect(log.entries == ["true"])
    withExtendedLifetime(observer) {}
  }
}
