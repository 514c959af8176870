import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// Removals and cancellations on the delivering queue. After them, nothing is delivered.
@Suite(.serialized) struct RemovalTests {
  /// Counts the deliveries before and after a removal.
  // SAFETY: `@unchecked`, because the variables are used on one serial queue, and read after a `sync` on the
  // queue.
  private final class CallCount: @unchecked Sendable {
    var isRemoved: Bool = false
    var total: Int = 0
    var afterRemoval: Int = 0
    let firstCall: DispatchSemaphore = DispatchSemaphore(value: 0)

    func record() {
      if total == 0 { firstCall.signal() }
      total += 1
      afterRemoval += isRemoved ? 1 : 0
    }
  }

  private final class Observer: SimpleEventObserver {
    let calls: CallCount = CallCount()

    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {
      calls.record()
    }
  }

  /// The ways to remove a block or an observer.
  enum Removal: CaseIterable {
    case remove
    case drop
    case removeObserver
  }

  @Test(
    "E5, E6: a block or an observer is not called after its removal on the queue", arguments: Removal.allCases
  )
  func removal(_ removal: Removal) {
    let queue = DispatchQueue(label: "delivery")
    let event = LazySimpleEvent(on: queue)
    let stop = Flag()
    let rounds = Stress.rounds(20_000)
    let late = Atomic(0)
    let total = Atomic(0)
    onThreads(4) { thread in
      guard thread == 0 else {
        while !stop.isSet {
          event.trigger()
        }
        return
      }
      for _ in 0..<rounds {
        let calls = self.observe(event, on: queue, until: removal)
        late.wrappingAdd(calls.afterRemoval, ordering: .relaxed)
        total.wrappingAdd(calls.total, ordering: .relaxed)
      }
      stop.set()
    }
    #expect(late.load(ordering: .relaxed) == 0)
    #expect(total.load(ordering: .relaxed) >= rounds, "each round triggers while it observes")
  }

  /// Observes until the first delivery, removes the observer on the queue, and counts the deliveries until
  /// two turns later.
  private func observe(_ event: LazySimpleEvent, on queue: DispatchQueue, until removal: Removal) -> CallCount
  {
    let observer = Observer()
    let calls = observer.calls
    var token: (any SimpleEventToken)?
    if removal == .removeObserver {
      event.addObserver(observer)
    } else {
      token = event.addObserver { _ in calls.record() }
    }
    event.trigger()
    // NB: it is not enough to wait for a turn of the queue, because another thread may have triggered and not
    // yet reached the queue.
    _ = calls.firstCall.waitOrGiveUp()
    event.trigger()
    queue.sync {
      switch removal {
      case .remove: token?.remove()
      case .drop: token = nil
      case .removeObserver: event.removeObserver(observer)
      }
      calls.isRemoved = true
    }
    queue.sync {}
    queue.sync {}
    return calls
  }

  /// The thread that delivers and another thread remove the same token. Both removals must have the same
  /// effect for the delivering thread: when its own removal has returned, the block is not called.
  @Test("E5: a block is not called after a removal that coincides with another thread's removal")
  func concurrentRemoval() {
    let batch = 1000
    let late = Atomic(0)
    for _ in 0..<Stress.rounds(2_000_000) / batch {
      let tokens = Exchange<[any SimpleEventToken]>()
      onThreads(2) { thread in
        if thread == 1 {
          tokens.take().forEach { $0.remove() }
          return
        }
        let events = (0..<batch).map { _ in SimpleEvent() }
        let isRemoved = Flag()
        let own = events.compactMap { event in
          event.addObserver { _ in
            if isRemoved.isSet { late.wrappingAdd(1, ordering: .relaxed) }
          }
        }
        tokens.put(own)
        for (event, token) in zip(events, own) {
          token.remove()
          isRemoved.set()
          event.trigger()
          isRemoved.set(false)
        }
      }
    }
    #expect(late.load(ordering: .relaxed) == 0)
  }

  /// The ways to end the deliveries of an object.
  enum End: CaseIterable {
    case cancel
    case dropCallback
    case dropEvent
    case dropProxy
    case removeGroup
    case dropGroup
  }

  @Test(
    "E6: nothing is delivered after the end on the queue, even if a turn was requested",
    arguments: End.allCases, [CoalescingPolicy.nextTurn, .throttle(.nanoseconds(1))])
  func end(_ end: End, _ policy: CoalescingPolicy) {
    let late = Atomic(0)
    onThreads(4) { _ in
      let queue = DispatchQueue(label: "delivery")
      for _ in 0..<Stress.rounds(10_000) {
        let calls = CallCount()
        var subject: Subject? = Subject(end, policy, queue, calls)
        subject?.signal()
        queue.sync {
          subject?.signal()
          subject?.end()
          subject = nil
          calls.isRemoved = true
        }
        queue.sync {}
        queue.sync {}
        late.wrappingAdd(calls.afterRemoval, ordering: .relaxed)
      }
    }
    #expect(late.load(ordering: .relaxed) == 0)
  }

  /// An object that delivers, a closure that signals the object, and a closure that ends it.
  private final class Subject {
    let signal: () -> Void
    let end: () -> Void
    private let kept: [Any]

    init(_ end: End, _ policy: CoalescingPolicy, _ queue: DispatchQueue, _ calls: CallCount) {
      switch end {
      case .cancel, .dropCallback:
        let callback = CoalescingCallback(on: queue, policy: policy) { calls.record() }
        kept = []
        signal = { callback.schedule() }
        self.end = { if end == .cancel { callback.cancel() } }
      case .dropEvent, .dropProxy:
        let source = SimpleEvent()
        let event =
          end == .dropEvent
          ? LazySimpleEvent(on: queue, policy: policy)
          : SimpleEventProxy(of: source, on: queue, policy: policy)
        kept = [event.addObserver { _ in calls.record() } as Any]
        signal = { end == .dropEvent ? event.trigger() : source.trigger() }
        self.end = {}
      case .removeGroup, .dropGroup:
        let source = SimpleEvent()
        let group = SimpleEventGroupObserver(of: source, on: queue, policy: policy) { _ in
          calls.record()
        }
        kept = []
        signal = { source.trigger() }
        self.end = { if end == .removeGroup { group.remove() } }
      }
    }
  }
}
