import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// Once a removal has returned on the delivering queue, nothing comes any more, whoever triggers meanwhile.
@Suite(.serialized) struct RemovalTests {
  /// What a delivery says. NB: `@unchecked`: used on one serial queue only.
  private final class Verdict: @unchecked Sendable {
    var isRemoved: Bool = false
    var calls: Int = 0
    var callsAfterRemoval: Int = 0
    let hasBeenCalled: DispatchSemaphore = DispatchSemaphore(value: 0)

    func called() {
      if calls == 0 { hasBeenCalled.signal() }
      calls += 1
      callsAfterRemoval += isRemoved ? 1 : 0
    }
  }

  private final class Flag: Sendable {
    let isRaised: Atomic<Bool> = Atomic(false)
  }

  private final class Observer: SimpleEventObserver {
    let verdict: Verdict = Verdict()

    func simpleEventDidTrigger(_ event: any SimpleEventObservable) {
      verdict.called()
    }
  }

  enum Removal: CaseIterable {
    case remove
    case drop
    case removeObserver
  }

  @Test(arguments: Removal.allCases)
  func `E6: a block or an observer is not called after its removal on the queue`(_ removal: Removal) {
    let queue = DispatchQueue(label: "delivery")
    let event = LazySimpleEvent(queue: queue)
    let stop = Flag()
    let rounds = Stress.rounds(20_000)
    let late = Atomic(0)
    let calls = Atomic(0)
    onThreads(4) { thread in
      guard thread == 0 else {
        while !stop.isRaised.load(ordering: .relaxed) {
          event.trigger()
        }
        return
      }
      for _ in 0..<rounds {
        let verdict = self.observe(event, on: queue, until: removal)
        late.wrappingAdd(verdict.callsAfterRemoval, ordering: .relaxed)
        calls.wrappingAdd(verdict.calls, ordering: .relaxed)
      }
      stop.isRaised.store(true, ordering: .relaxed)
    }
    #expect(late.load(ordering: .relaxed) == 0)
    #expect(calls.load(ordering: .relaxed) >= rounds, "each round has triggered while it observed")
  }

  /// Observes until something is delivered, and returns what was delivered once the queue has been quiet for two more.
  private func observe(_ event: LazySimpleEvent, on queue: DispatchQueue, until removal: Removal) -> Verdict {
    let observer = Observer()
    let verdict = observer.verdict
    var token: (any SimpleEventToken)?
    if removal == .removeObserver {
      event.addObserver(observer)
    } else {
      token = event.addObserver(isolation: nil) { _ in verdict.called() }
    }
    event.trigger()
    // NB: the queue alone does not do: a thread that triggered just before may not have come to it yet.
    _ = verdict.hasBeenCalled.waitOrGiveUp()
    event.trigger()
    queue.sync {
      switch removal {
      case .remove: token?.remove()
      case .drop: token = nil
      case .removeObserver: event.removeObserver(observer)
      }
      verdict.isRemoved = true
    }
    queue.sync {}
    queue.sync {}
    return verdict
  }

  enum End: CaseIterable {
    case cancel
    case dropCallback
    case dropEvent
    case dropProxy
    case removeGroup
    case dropGroup
  }

  @Test(arguments: End.allCases, [CoalescingPolicy.nextTurn, .throttle(.nanoseconds(1))])
  func `E6: nothing comes after its end on the queue, of what was under way`(
    _ end: End, _ policy: CoalescingPolicy
  ) {
    let late = Atomic(0)
    onThreads(4) { _ in
      let queue = DispatchQueue(label: "delivery")
      for _ in 0..<Stress.rounds(10_000) {
        let verdict = Verdict()
        var subject: Subject? = Subject(end, policy, queue, verdict)
        subject?.signal()
        queue.sync {
          subject?.signal()
          subject?.end()
          subject = nil
          verdict.isRemoved = true
        }
        queue.sync {}
        queue.sync {}
        late.wrappingAdd(verdict.callsAfterRemoval, ordering: .relaxed)
      }
    }
    #expect(late.load(ordering: .relaxed) == 0)
  }

  /// Something that delivers, and how it is made to stop.
  private final class Subject {
    let signal: () -> Void
    let end: () -> Void
    private let kept: [Any]

    init(_ end: End, _ policy: CoalescingPolicy, _ queue: DispatchQueue, _ verdict: Verdict) {
      switch end {
      case .cancel, .dropCallback:
        let callback = CoalescingCallback(queue: queue, policy: policy) { verdict.called() }
        kept = []
        signal = { callback.schedule() }
        self.end = { if end == .cancel { callback.cancel() } }
      case .dropEvent, .dropProxy:
        let source = SimpleEvent()
        let event =
          end == .dropEvent
          ? LazySimpleEvent(queue: queue, policy: policy)
          : SimpleEventProxy(queue: queue, policy: policy, events: source)
        kept = [event.addObserver(isolation: nil) { _ in verdict.called() } as Any]
        signal = { end == .dropEvent ? event.trigger() : source.trigger() }
        self.end = {}
      case .removeGroup, .dropGroup:
        let source = SimpleEvent()
        let group = SimpleEventGroupObserver(events: source, policy: policy, scheduler: queue) { _ in
          verdict.called()
        }
        kept = []
        signal = { source.trigger() }
        self.end = { if end == .removeGroup { group.remove() } }
      }
    }
  }
}
