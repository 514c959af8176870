import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Where MMMObservables went wrong, and this package does not. The defects of its group observer are in
/// `GroupObserverClientTests`.
@Suite struct MendedDefectsTests {
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

  @Test func `an observer that died in silence does not keep a hub from being empty`() {
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

  @Test func `an object at the address of a dead observer is not taken for it`() throws {
    guard let (event, reborn) = eventWithSuccessor() else {
      // An allocator in quarantine, as sanitizers have it.
      try Test.cancel("no address is used twice here")
    }
    let flagged = misuses.kinds.count
    // It was never added, and can be like any other. The dead one's lack of a goodbye is flagged.
    event.addObserver(reborn)
    #expect(misuses.kinds.dropFirst(flagged) == [.neverRemoved])
    event.trigger()
    #expect(log.entries == ["called"])
    event.removeObserver(reborn)
    #expect(misuses.kinds.count == flagged + 1)
  }

  /// An event with an observer that has died, and been found dead, and a new object at its address.
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

  @Test func `observers that die one after the other are each called, and dropped`() throws {
    let hub = ObserverHub<SimpleEventObserver>(misuse: misuses.handler)
    for _ in 1...1000 {
      let listener = Listener(log)
      hub.add(listener)
      hub.forEach { $0.simpleEventDidTrigger(SimpleEvent()) }
    }
    #expect(log.entries.count == 1000)
    #expect(misuses.kinds.allSatisfy { $0 == .neverRemoved })
  }

  @Test func `a trigger from inside a notification is flagged, and not lost`() {
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

  @Test func `a trigger from inside a notification makes one more where that was asked for`() {
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

  @Test func `a batch that throws notifies all the same, and says what it said`() {
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

  @Test func `the first use of a lazy event may come from many threads at once`() {
    for _ in 1...200 {
      let scheduler = TestScheduler()
      let event = LazySimpleEvent(scheduler: scheduler)
      let recorder = EventRecorder(scheduler: scheduler)
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

  @Test func `a callback that has gone runs no more`() {
    let scheduler = TestScheduler()
    for policy in [CoalescingPolicy.nextTurn, .debounce(.seconds(1)), .throttle(.seconds(1))] {
      var callback: CoalescingCallback? = CoalescingCallback(scheduler: scheduler, policy: policy) {
        [log] in
        log.add("run")
      }
      callback?.schedule()
      callback = nil
      scheduler.run()
    }
    #expect(log.entries == [])
  }

  @Test func `an event that has gone notifies no more, also when a token keeps its hub`() {
    let scheduler = TestScheduler()
    var event: LazySimpleEvent? = LazySimpleEvent(scheduler: scheduler)
    let token = event?.addObserver { [log] _ in log.add("called") }
    event?.trigger()
    event = nil
    scheduler.run()
    #expect(log.entries == [])
    #expect(token != nil)
  }

  @Test func `a token may be removed from inside its own block`() {
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

/// Counts its calls; called on one thread at a time.
private final class SilentObserver: SimpleEventObserver, @unchecked Sendable {
  // NB: `@unchecked`: added on one thread, called and read on another, one after the other.
  private(set) var count: Int = 0

  func simpleEventDidTrigger(_ event: SimpleEventObservable) {
    count += 1
  }
}
