import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C7, E6 and E8 for a group observer: `isPending`, `cancel()`, `flush()`, `remove()` and the fired events.
struct GroupObserverControlTests {
  private let scheduler = TestScheduler()
  private let a = SimpleEvent()
  private let b = SimpleEvent()
  private let log = Log()
  private let observer: SimpleEventGroupObserver

  init() {
    observer = SimpleEventGroupObserver(of: a, b, on: scheduler, policy: .debounce(.milliseconds(10))) {
      [scheduler, log, a, b] fired in
      let names = fired.map { $0 === a ? "a" : $0 === b ? "b" : "?" }.joined()
      log.add("\(scheduler.milliseconds): \(names)")
    }
  }

  @Test("C7: a group observer is pending from the first firing to its delivery")
  func isPending() {
    #expect(!observer.isPending)
    a.trigger()
    #expect(observer.isPending)
    scheduler.run()
    #expect(!observer.isPending)
    #expect(log.entries == ["10: a"])
  }

  @Test("C7: cancel drops the fired events and keeps observing")
  func cancel() {
    a.trigger()
    observer.cancel()
    #expect(!observer.isPending)
    scheduler.run()
    #expect(log.entries == [])
    b.trigger()
    scheduler.run()
    #expect(log.entries == ["10: b"])
  }

  @Test("C7: flush delivers the fired events immediately and closes the window")
  func flush() {
    observer.flush()
    #expect(log.entries == [], "nothing was pending")
    b.trigger()
    a.trigger()
    observer.flush()
    #expect(log.entries == ["0: ba"])
    scheduler.run()
    #expect(log.entries == ["0: ba"])
  }

  @Test("E6: a removed group observer is not pending and does not become pending")
  func remove() {
    a.trigger()
    observer.remove()
    #expect(!observer.isPending)
    b.trigger()
    #expect(!observer.isPending)
    scheduler.run()
    #expect(log.entries == [])
  }

  @Test("E6: a notification that arrives after the removal is not delivered")
  func lateNotification() {
    let source = RetainingObservable()
    let observer = SimpleEventGroupObserver(of: source, on: scheduler) { [log] _ in log.add("called") }
    observer.remove()
    source.notify()
    scheduler.run()
    #expect(log.entries == [])
    source.removeAll()
  }

  @Test("E8: fired.contains(event) is true for the events that fired")
  func contains() {
    let c = LazySimpleEvent(on: scheduler)
    let observer = SimpleEventGroupObserver(of: [a, b, c], on: scheduler) { [log, a, b] fired in
      let existential: any SimpleEventObservable = a
      log.add("\(fired.contains(a)) \(fired.contains(existential)) \(fired.contains(b)) \(fired.contains(c))")
    }
    a.trigger()
    scheduler.run()
    c.trigger()
    scheduler.run()
    #expect(log.entries.filter { !$0.contains(":") } == ["true true false false", "false false false true"])
    observer.remove()
  }
}
