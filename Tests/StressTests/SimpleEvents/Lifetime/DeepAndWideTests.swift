import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// Large numbers of observers, tokens and events, and deep nesting.
///
/// An operation that takes quadratic time exceeds the time limit.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DeepAndWideTests {
  private final class Observer {}

  /// The order in which observers are removed.
  enum RemovalOrder: CaseIterable {
    case firstInFirstOut
    case lastInFirstOut
    case everySecond

    func indices(_ count: Int) -> [Int] {
      switch self {
      case .firstInFirstOut: Array(0..<count)
      case .lastInFirstOut: (0..<count).reversed()
      case .everySecond: Array(stride(from: 0, to: count, by: 2)) + stride(from: 1, to: count, by: 2)
      }
    }
  }

  @Test("H8: many observers are added, called, and removed one by one", arguments: RemovalOrder.allCases)
  func manyObservers(_ order: RemovalOrder) {
    let hub = ObserverHub<Observer>()
    let observers = (0..<Stress.size(100_000)).map { _ in Observer() }
    for observer in observers {
      hub.add(observer)
    }
    var calls = 0
    hub.forEach { _ in calls += 1 }
    #expect(calls == observers.count)
    var found = 0
    for index in order.indices(observers.count) {
      found += hub.isEmpty ? 0 : 1
      hub.remove(observers[index])
    }
    #expect(found == observers.count)
    #expect(hub.isEmpty)
    #expect(hub.slotCount == 0)
  }

  @Test("H3, H8: the first of many blocks removes all of them")
  func firstBlockRemovesAll() {
    let event = SimpleEvent()
    var tokens: [(any SimpleEventToken)?] = []
    var calls = 0
    for _ in 0..<Stress.size(100_000) {
      tokens.append(
        event.addObserver { _ in
          calls += 1
          tokens.forEach { $0?.remove() }
        })
    }
    event.trigger()
    event.trigger()
    #expect(calls == 1)
    tokens = []
  }

  @Test("H3, H8: each of many blocks removes itself and adds another block")
  func eachBlockReplacesItself() {
    let event = SimpleEvent()
    var tokens: [(any SimpleEventToken)?] = []
    var calls = 0
    for index in 0..<Stress.size(100_000) {
      tokens.append(
        event.addObserver { event in
          calls += 1
          tokens[index] = event.addObserver { _ in calls += 1 }
        })
    }
    event.trigger()
    #expect(calls == Stress.size(100_000))
    event.trigger()
    #expect(calls == 2 * Stress.size(100_000))
    tokens = []
  }

  @Test("E7, E8: a proxy and a group observer may have 10,000 events")
  func manySources() {
    let scheduler = TestScheduler()
    let events = (0..<10_000).map { _ in SimpleEvent() }
    let proxy = SimpleEventProxy(of: events, on: scheduler)
    let recorder = EventRecorder(proxy, on: scheduler)
    var batches: [[ObjectIdentifier]] = []
    let group = SimpleEventGroupObserver(of: events, on: scheduler, policy: .nextTurn) { fired in
      batches.append(fired.map { ObjectIdentifier($0) })
    }
    for event in events.reversed() + events {
      event.trigger()
    }
    #expect(scheduler.pendingCount == 2)
    scheduler.run()
    #expect(recorder.count == 1)
    #expect(batches == [events.reversed().map { ObjectIdentifier($0) }])
    group.remove()
  }

  @Test("E2: a coalescing block nested 10,000 deep notifies once")
  func nestedCoalescing() {
    let event = SimpleEvent()
    var calls = 0
    let token = event.addObserver { _ in calls += 1 }
    func nest(_ depth: Int) {
      event.coalescingNotifications {
        event.trigger()
        if depth > 1 { nest(depth - 1) }
      }
    }
    // NB: a sanitizer makes stack frames several times larger.
    nest(Stress.isSanitized ? 1_000 : 10_000)
    #expect(calls == 1)
    withExtendedLifetime(token) {}
  }

  @Test("E3: a trigger inside each of many cycles does not grow the stack")
  func nestedTriggers() {
    let event = SimpleEvent(reentrancy: .coalesced)
    var calls = 0
    let token = event.addObserver { event in
      calls += 1
      if calls < Stress.size(100_000), let event = event as? SimpleEvent { event.trigger() }
    }
    event.trigger()
    #expect(calls == Stress.size(100_000))
    withExtendedLifetime(token) {}
  }

  @Test(
    "S3: an event that is triggered in each of its notifications is stopped by the limit",
    arguments: [
      CoalescingPolicy.nextTurn, .throttle(.milliseconds(1)), .audit(.milliseconds(1)),
      .debounce(.milliseconds(1)),
    ])
  func endlessTriggers(_ policy: CoalescingPolicy) {
    let scheduler = TestScheduler()
    let event = LazySimpleEvent(on: scheduler, policy: policy)
    var calls = 0
    let token = event.addObserver { [unowned event] _ in
      calls += 1
      event.trigger()
    }
    event.trigger()
    #expect(scheduler.run(limit: 10_000) == 10_000)
    // Each delivery takes one entry: a turn or a deadline (C10).
    #expect(calls == 10_000)
    #expect(scheduler.pendingCount <= 2)
    withExtendedLifetime(token) {}
  }
}
