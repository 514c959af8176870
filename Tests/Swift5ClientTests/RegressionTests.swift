import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Defects of MMMObservables that this package does not have.
///
/// `GroupObserverClientTests` covers the defects of its group observer.
struct RegressionTests {
  private let misuses = MisuseLog()
  private let log = Log()

  private final class Listener: SimpleEventObserver {
    let log: Log

    init(_ log: Log) {
      self.log = log
    }

    func simpleEventDidTrigger(_ event: SimpleEventObservable) {
      log.add("called")
    }
  }

  @Test("H6: a hub whose only observer was deallocated unremoved is empty")
  func emptyHub() {
    let hub = ObserverHub<SimpleEventObserver>(misuse: misuses.handler)
    do {
      let listener = Listener(log)
      hub.add(listener)
      #expect(!hub.isEmpty)
    }
    #expect(hub.isEmpty)
    #expect(misuses.kinds == [.neverRemoved])
    hub.forEach { $0.simpleEventDidTrigger(SimpleEvent()) }
    #expect(log.entries == [])
    #expect(misuses.kinds.count == 1)
  }

  @Test("H7: a new object at the address of a deallocated observer is a different observer")
  func reusedAddress() throws {
    guard let (event, successor) = eventWithSuccessor() else {
      // A sanitizer quarantines freed memory, so no address is reused.
      try Test.cancel("the allocator does not reuse addresses")
    }
    let flagged = misuses.kinds.count
    // The new object was never added, so the event accepts it. The deallocated observer is flagged.
    event.addObserver(successor)
    #expect(misuses.kinds.dropFirst(flagged) == [.neverRemoved])
    event.trigger()
    #expect(log.entries == ["called"])
    event.removeObserver(successor)
    #expect(misuses.kinds.count == flagged + 1)
  }

  /// Returns an event that has met a deallocated observer in a cycle, and a new object at the address of that
  /// observer.
  private func eventWithSuccessor() -> (SimpleEvent, Listener)? {
    for _ in 1...100 {
      let event = SimpleEvent(misuse: misuses.handler)
      let address: ObjectIdentifier
      do {
        let listener = Listener(log)
        address = ObjectIdentifier(listener)
        event.addObserver(listener)
      }
      event.trigger()
      var others: [Listener] = []
      for _ in 1...100 {
        let next = Listener(log)
        if ObjectIdentifier(next) == address {
          return (event, next)
        }
        others.append(next)
      }
    }
    return nil
  }

  @Test("H6: observers that are deallocated one after the other are each called and flagged")
  func deallocatedObservers() throws {
    let hub = ObserverHub<SimpleEventObserver>(misuse: misuses.handler)
    for _ in 1...1000 {
      let listener = Listener(log)
      hub.add(listener)
      hub.forEach { $0.simpleEventDidTrigger(SimpleEvent()) }
    }
    #expect(log.entries.count == 1000)
    #expect(misuses.kinds.allSatisfy { $0 == .neverRemoved })
  }

  @Test("E3: a nested trigger is flagged and not lost")
  func nestedTrigger() {
    let event = SimpleEvent(misuse: misuses.handler)
    let first = event.addObserver { [log] _ in
      log.add("first")
      event.trigger(if: log.entries.count < 2)
    }
    let second = event.addObserver { [log] _ in log.add("second") }
    event.trigger()
    #expect(log.entries == ["first", "first", "second", "second"])
    #expect(misuses.kinds == [.nestedCycle])
    withExtendedLifetime((first, second)) {}
  }

  @Test("E3: with coalesced reentrancy a nested trigger makes one more cycle")
  func coalescedTrigger() {
    let event = SimpleEvent(reentrancy: .coalesced, misuse: misuses.handler)
    let first = event.addObserver { [log] _ in
      log.add("first")
      event.trigger(if: log.entries.count < 2)
      event.trigger(if: log.entries.count < 2)
    }
    let second = event.addObserver { [log] _ in log.add("second") }
    event.trigger()
    #expect(log.entries == ["first", "second", "first", "second"])
    #expect(misuses.kinds == [])
    withExtendedLifetime((first, second)) {}
  }

  @Test("E2: a coalescing block that throws notifies and rethrows its error")
  func throwingBlock() {
    struct Refusal: Error {}
    let event = SimpleEvent()
    let token = event.addObserver { [log] _ in log.add("called") }
    #expect(throws: Refusal.self) {
      try event.coalescingNotifications {
        event.trigger()
        throw Refusal()
      }
    }
    #expect(log.entries == ["called"])
    #expect(event.coalescingNotifications { 42 } == 42)
    #expect(log.entries.count == 1)
    token?.remove()
  }

  @Test("E4: many threads may use a lazy event for the first time at the same time")
  func firstUseFromManyThreads() {
    for _ in 1...200 {
      let scheduler = TestScheduler()
      let event = LazySimpleEvent(on: scheduler)
      let recorder = EventRecorder(on: scheduler)
      let observers = (1...4).map { _ in SilentObserver() }
      DispatchQueue.concurrentPerform(iterations: 8) { index in
        if index % 2 == 0 {
          event.addObserver(observers[index / 2])
        } else {
          event.trigger()
        }
      }
      let token = event.addObserver { _ in recorder.record() }
      scheduler.run()
      #expect(recorder.count == 1)
      #expect(observers.map(\.count) == [1, 1, 1, 1])
      observers.forEach(event.removeObserver)
      token?.remove()
    }
  }

  @Test("E6: a deallocated callback does not run")
  func deallocatedCallback() {
    let scheduler = TestScheduler()
    for policy in [CoalescingPolicy.nextTurn, .debounce(.seconds(1)), .throttle(.seconds(1))] {
      var callback: CoalescingCallback? = CoalescingCallback(on: scheduler, policy: policy) {
        [log] in
        log.add("run")
      }
      callback?.schedule()
      callback = nil
      scheduler.run()
    }
    #expect(log.entries == [])
  }

  @Test("E6: a deallocated event does not notify, although a token is kept")
  func deallocatedEvent() {
    let scheduler = TestScheduler()
    var event: LazySimpleEvent? = LazySimpleEvent(on: scheduler)
    let token = event?.addObserver { [log] _ in log.add("called") }
    event?.trigger()
    event = nil
    scheduler.run()
    #expect(log.entries == [])
    #expect(token != nil)
  }

  @Test("E5: a token may be removed inside its own block")
  func removalInsideBlock() {
    let event = SimpleEvent()
    var token: SimpleEventToken?
    event.addObserver(&token) { [log] _ in
      log.add("called")
      token?.remove()
      token = nil
    }
    event.trigger()
    event.trigger()
    #expect(log.entries == ["called"])
  }
}

/// An observer that counts its calls.
// SAFETY: `@unchecked`, because one thread at a time adds, calls and reads the observer.
private final class SilentObserver: SimpleEventObserver, @unchecked Sendable {
  private(set) var count: Int = 0

  func simpleEventDidTrigger(_ event: SimpleEventObservable) {
    count += 1
  }
}
