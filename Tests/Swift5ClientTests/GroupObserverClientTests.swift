import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Group observers in virtual time; their classic initialisers are in `MainQueueTests`.
@Suite struct GroupObserverClientTests {
  private let scheduler = TestScheduler()
  private let first = SimpleEvent()
  private let second = SimpleEvent()
  private let log = Log()

  private func note(_ fired: [SimpleEventObservable]) {
    log.add(fired.map { $0 === first ? "1" : $0 === second ? "2" : "?" }.joined())
  }

  @Test func `the block is given the events that fired, in the order in which they did`() {
    let observer = SimpleEventGroupObserver(
      events: first, second, policy: .nextTurn, scheduler: scheduler, block: note)
    second.trigger()
    scheduler.run()
    second.trigger()
    first.trigger()
    second.trigger()
    scheduler.run()
    #expect(log.entries == ["2", "21"])
    observer.remove()
  }

  @Test func `an event that is listed twice counts once`() {
    let observer = SimpleEventGroupObserver(
      events: [first, second, first], policy: .nextTurn, scheduler: scheduler, block: note)
    first.trigger()
    scheduler.run()
    #expect(log.entries == ["1"])
    observer.remove()
  }

  @Test func `nothing is delivered after remove, whatever is on its way`() {
    for policy in [CoalescingPolicy.nextTurn, .debounce(.seconds(1)), .audit(.seconds(1))] {
      let observer = SimpleEventGroupObserver(
        events: first, second, policy: policy, scheduler: scheduler, block: note)
      first.trigger()
      observer.remove()
      observer.remove()
      second.trigger()
      scheduler.run()
      // NB: it must not be its deallocation that ends it.
      withExtendedLifetime(observer) {}
    }
    #expect(log.entries == [])
  }

  @Test func `nothing is delivered when the observer has gone after a trigger`() {
    for policy in [
      CoalescingPolicy.nextTurn, .debounce(.seconds(1)), .debounce(.seconds(1), edges: .leading),
    ] {
      var observer: SimpleEventGroupObserver? = SimpleEventGroupObserver(
        events: first, policy: policy, scheduler: scheduler, block: note)
      #expect(observer != nil)
      first.trigger()
      observer = nil
      scheduler.run()
    }
    #expect(log.entries == [])
  }

  @Test func `the events are kept until the observer is removed`() {
    var event: SimpleEvent? = SimpleEvent()
    weak let gone = event
    let observer = SimpleEventGroupObserver(
      events: [event].compactMap { $0 }, policy: .nextTurn, scheduler: scheduler, block: note)
    event = nil
    #expect(gone != nil)
    observer.remove()
    #expect(gone == nil)
  }

  @Test func `the leading policy slides its window`() {
    let observer = SimpleEventGroupObserver(
      events: first, second, policy: .debounce(.milliseconds(100), edges: .leading), scheduler: scheduler,
      block: note)
    // Every event 60 ms after the one before, until there is a gap.
    for _ in 1...5 {
      first.trigger()
      scheduler.advance(by: .milliseconds(60))
    }
    #expect(log.entries == ["1"])
    scheduler.advance(by: .milliseconds(60))
    second.trigger()
    scheduler.advance()
    // Those that were ignored have fired since all the same.
    #expect(log.entries == ["1", "12"])
    observer.remove()
  }

  @Test func `a storm is delivered where there is a longest wait`() {
    let observer = SimpleEventGroupObserver(
      events: [first], policy: .debounce(.milliseconds(100), maxWait: .seconds(1)), scheduler: scheduler,
      block: note)
    for _ in 0..<40 {
      first.trigger()
      scheduler.advance(by: .milliseconds(50))
    }
    #expect(log.entries == ["1", "1"])
    observer.remove()
  }
}
