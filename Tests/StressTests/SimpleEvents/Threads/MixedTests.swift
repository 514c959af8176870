import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// All operations at the same time on shared events, in random order. The thread sanitizer checks them.
@Suite(.serialized) struct MixedTests {
  /// The objects that the threads share.
  private final class House: Sendable {
    let queue: DispatchQueue
    let misuses: MisuseLog = MisuseLog()
    let events: [LazySimpleEvent]
    let callback: CoalescingCallback
    let collector: CoalescingCollector<Int>
    /// The number of elements in batches, and the number that the collector's limit has dropped.
    let (collected, dropped): (Tally, Tally) = (Tally(), Tally())
    /// The mailbox is on an event that other operations also trigger.
    let mailbox: SimpleMailbox<Int>
    let (put, taken): (Tally, Tally) = (Tally(), Tally())
    let deliveries: Tally
    /// The number of calls of observers whose `deinit` has begun.
    let lateCalls: Tally

    init(concurrent: Bool) {
      let queue = DispatchQueue(label: "house", attributes: concurrent ? .concurrent : [])
      let handler = misuses.handler
      let (deliveries, lateCalls) = (Tally(), Tally())
      (self.queue, self.deliveries, self.lateCalls) = (queue, deliveries, lateCalls)
      let sources = [
        LazySimpleEvent(on: queue, misuse: handler),
        LazySimpleEvent(on: queue, policy: .throttle(.microseconds(10)), misuse: handler),
        LazySimpleEvent(
          on: queue, policy: .debounce(.microseconds(5), maxWait: .microseconds(20)), misuse: handler),
      ]
      events = sources + [SimpleEventProxy(of: sources, on: queue, misuse: handler)]
      mailbox = SimpleMailbox(event: sources[0])
      callback = CoalescingCallback(on: queue, policy: .audit(.microseconds(3)), misuse: handler) {
        deliveries.add()
      }
      collector = CoalescingCollector(on: queue, keeping: .newest(16), misuse: handler) {
        [collected, dropped] batch in
        collected.add(batch.count)
        dropped.add(batch.droppedCount)
      }
    }
  }

  private final class Tally: Sendable {
    private let count: Atomic<Int> = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add(_ number: Int = 1) {
      count.wrappingAdd(number, ordering: .relaxed)
    }
  }

  /// An observer in delegate style. It adds itself, and removes itself in its `deinit` on any thread.
  private final class Observer: SimpleEventObserver, Sendable {
    private let event: LazySimpleEvent
    private let house: House
    private let alive: Atomic<Bool> = Atomic(true)

    init(_ event: LazySimpleEvent, in house: House) {
      self.event = event
      self.house = house
      event.addObserver(self)
    }

    deinit {
      alive.store(false, ordering: .relaxed)
      event.removeObserver(self)
    }

    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {
      (alive.load(ordering: .relaxed) ? house.deliveries : house.lateCalls).add()
    }
  }

  /// The objects that one thread holds, and the random operations of the thread.
  private struct Visitor {
    let house: House
    var random: SeededGenerator
    var tokens: [(any SimpleEventToken)?] = Array(repeating: nil, count: 8)
    var observers: [Observer?] = Array(repeating: nil, count: 8)
    var groups: [SimpleEventGroupObserver?] = [nil, nil]
    /// The number of elements that this thread has added to the collector.
    var added: Int = 0

    mutating func act() {
      let event = house.events.randomElement(using: &random)!
      let slot = Int.random(in: 0..<8, using: &random)
      let deliveries = house.deliveries
      switch Int.random(in: 0..<36, using: &random) {
      case 0...3: tokens[slot] = event.addObserver { _ in deliveries.add() }
      case 4: tokens[slot]?.remove()
      case 5: tokens[slot] = nil
      case 6, 7: observers[slot] = Observer(event, in: house)
      case 8: observers[slot] = nil
      case 9: handOver(slot)
      case 10:
        groups[slot % 2] = SimpleEventGroupObserver(
          of: house.events, on: house.queue, policy: .audit(.microseconds(2)), misuse: house.misuses.handler
        ) { _ in deliveries.add() }
      case 11: groups[slot % 2]?.remove()
      case 12: house.callback.cancel()
      case 13: house.queue.async { [house] in house.callback.flush() }
      case 14: _ = house.callback.isPending
      case 15: _ = event.debugDescription
      case 16...20: house.callback.schedule()
      case 21, 22: if house.mailbox.placeIfFits(slot) { house.put.add() }
      case 23: if house.mailbox.take() != nil { house.taken.add() }
      case 24...27:
        house.collector.add(slot)
        added += 1
      default: event.trigger(if: slot > 0)
      }
    }

    /// Moves the last reference to an observer to the queue.
    private mutating func handOver(_ slot: Int) {
      if let observer = observers[slot] {
        observers[slot] = nil
        house.queue.async { withExtendedLifetime(observer) {} }
      }
    }
  }

  @Test("H5, E4–E8, C1, C7, C9: all operations may be called at the same time", arguments: [false, true])
  func allOperations(concurrentQueue: Bool) {
    let house = House(concurrent: concurrentQueue)
    let added = Tally()
    onThreads(5) { thread in
      var visitor = Visitor(house: house, random: SeededGenerator(seed: UInt64(thread)))
      for _ in 0..<Stress.rounds(100_000) {
        visitor.act()
      }
      added.add(visitor.added)
    }
    // The threads have ended. The deliveries that they have requested may still be pending.
    let arrival = DispatchSemaphore(value: 0)
    let tokens = house.events.map { event in event.addObserver { _ in arrival.signal() } }
    for event in house.events {
      event.trigger()
      #expect(arrival.waitOrGiveUp())
    }
    withExtendedLifetime(tokens) {}
    house.queue.sync { house.collector.flush() }
    house.queue.sync(flags: .barrier) {}
    #expect(house.collected.value + house.dropped.value == added.value)
    #expect(house.deliveries.value > 0)
    #expect(house.lateCalls.value == 0)
    #expect(house.put.value == house.taken.value + (house.mailbox.hasValue ? 1 : 0))
    #expect(house.misuses.messages.prefix(3) == [])
  }
}
