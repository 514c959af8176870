import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Group observers in virtual time. `MainQueueTests` tests their classic initialisers.
struct GroupObserverClientTests {
  private let scheduler = TestScheduler()
  private let first = SimpleEvent()
  private let second = SimpleEvent()
  private let log = Log()

  private func note(_ fired: [SimpleEventObservable]) {
    log.add(fired.map { $0 === first ? "1" : $0 === second ? "2" : "?" }.joined())
  }

  @Test("E8: the block receives the events that fired, in the order in which they first fired")
  func firedEvents() {
    let observer = SimpleEventGroupObserver(of: first, second, on: scheduler, policy: .nextTurn, block: note)
    second.trigger()
    scheduler.run()
    second.trigger()
    first.trigger()
    second.trigger()
    scheduler.run()
    #expect(log.entries == ["2", "21"])
    observer.remove()
  }

  @Test("E8: an event that is listed twice counts once")
  func eventListedTwice() {
    let observer = SimpleEventGroupObserver(
      of: [first, second, first], on: scheduler, policy: .nextTurn, block: note)
    first.trigger()
    scheduler.run()
    #expect(log.entries == ["1"])
    observer.remove()
  }

  @Test("E6: nothing is delivered after remove, requested turns included")
  func remove() {
    for policy in [CoalescingPolicy.nextTurn, .debounce(.seconds(1)), .audit(.seconds(1))] {
      let observer = SimpleEventGroupObserver(of: first, second, on: scheduler, policy: policy, block: note)
      first.trigger()
      observer.remove()
      observer.remove()
      second.trigger()
      scheduler.run()
      // NB: without this line, the deallocation of the observer would end the deliveries.
      withExtendedLifetime(observer) {}
    }
    #expect(log.entries == [])
  }

  @Test("E6: nothing is delivered after deallocation")
  func deallocation() {
    for policy in [
      CoalescingPolicy.nextTurn, .debounce(.seconds(1)), .debounce(.seconds(1), edges: .leading),
    ] {
      var observer: SimpleEventGroupObserver? = SimpleEventGroupObserver(
        of: first, on: scheduler, policy: policy, block: note)
      #expect(observer != nil)
      first.trigger()
      observer = nil
      scheduler.run()
    }
    #expect(log.entries == [])
  }

  @Test("E8: the events are held until the observer is removed")
  func holdsEvents() {
    var event: SimpleEvent? = SimpleEvent()
    weak let weakEvent = event
    let observer = SimpleEventGroupObserver(
      of: [event].compactMap { $0 }, on: scheduler, policy: .nextTurn, block: note)
    event = nil
    #expect(weakEvent != nil)
    observer.remove()
    #expect(weakEvent == nil)
  }

  @Test("debounce: signals move the end of a leading window")
  func leadingDebounce() {
    let observer = SimpleEventGroupObserver(
      of: first, second, on: scheduler, policy: .debounce(.milliseconds(100), edges: .leading), block: note)
    // Each trigger is 60 ms after the previous one.
    for _ in 1...5 {
      first.trigger()
      scheduler.advance(by: .milliseconds(60))
    }
    #expect(log.entries == ["1"])
    scheduler.advance(by: .milliseconds(60))
    second.trigger()
    scheduler.advance()
    // The delivery includes the events that the window ignored.
    #expect(log.entries == ["1", "12"])
    observer.remove()
  }

  @Test("debounce: maxWait delivers during a storm")
  func maxWait() {
    let observer = SimpleEventGroupObserver(
      of: [first], on: scheduler, policy: .debounce(.milliseconds(100), maxWait: .seconds(1)), block: note)
    for _ in 0..<40 {
      first.trigger()
      scheduler.advance(by: .milliseconds(50))
    }
    #expect(log.entries == ["1", "1"])
    observer.remove()
  }
}
