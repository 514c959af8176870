import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// Data that a thread writes before a request, and that the delivery of the request reads.
///
/// The request alone orders the write before the read.
@Suite(.serialized) struct LostWakeUpTests {
  /// The data of one callback.
  private final class Slate: Sendable {
    let published: Atomic<Int> = Atomic(0)
    let seen: Atomic<Int> = Atomic(0)
  }

  /// Data, and the callback that reads it.
  private final class Callback: Sendable {
    private let slate: Slate
    private let callback: CoalescingCallback

    init(_ queue: DispatchQueue, _ policy: CoalescingPolicy, arrivals: DispatchSemaphore) {
      let slate = Slate()
      self.slate = slate
      callback = CoalescingCallback(on: queue, policy: policy) {
        let value = slate.published.load(ordering: .relaxed)
        if slate.seen.exchange(value, ordering: .relaxed) != value {
          arrivals.signal()
        }
      }
    }

    func request() {
      callback.schedule()
    }

    // NB: never inlined: a caller would retain the callback right before the second call, which empties the
    // store buffer.
    @inline(never)
    func publish(_ value: Int, behind memory: ColdMemory) {
      memory.fillStoreBuffer()
      slate.published.store(value, ordering: .relaxed)
      callback.schedule()
    }
  }

  /// Each round makes two requests of each callback: the first one makes a delivery pending; the second one
  /// follows the write of the data and often meets the start of that delivery. The wake-up is lost if no
  /// delivery reads the data.
  ///
  /// The write of the data waits in the processor's store buffer behind the writes to cold memory, where
  /// other threads do not see it, while later loads overtake it: a request that only loaded the pending flag
  /// would return too early. The data is accessed with relaxed ordering, so that all order comes from the
  /// requests. There are many callbacks, so that the queue runs close behind the requesting thread.
  @Test(
    "C2: a request at the start of a delivery is not lost",
    arguments: [
      (CoalescingPolicy.nextTurn, 1_000_000), (.throttle(.nanoseconds(1)), 200_000),
      (.audit(.microseconds(5)), 100_000), (.debounce(.microseconds(5)), 100_000),
    ])
  func requestAtStartOfDelivery(_ policy: CoalescingPolicy, _ rounds: Int) {
    let queue = DispatchQueue(label: "litmus")
    let arrivals = DispatchSemaphore(value: 0)
    let callbacks = (0..<64).map { _ in Callback(queue, policy, arrivals: arrivals) }
    var random = SeededGenerator(seed: 2)
    let memory = ColdMemory()
    let warmer = QueueWarmer(queue)
    defer { warmer.stop() }
    for round in 1...Stress.rounds(rounds) / callbacks.count {
      let lag = Int.random(in: 0..<4, using: &random)
      for step in 0..<callbacks.count + lag {
        if step < callbacks.count {
          callbacks[step].request()
        }
        if step >= lag {
          callbacks[step - lag].publish(round, behind: memory)
        }
      }
      for arrived in 0..<callbacks.count where !arrivals.waitOrGiveUp() {
        Issue.record(
          "\(callbacks.count - arrived) of \(callbacks.count) wake-ups were lost in batch \(round)")
        return
      }
    }
  }

  /// Each thread has its own event on a shared queue. The data is a plain variable, so that the thread
  /// sanitizer flags a trigger that does not order the write before the read.
  @Test("E4: writes before a trigger are visible to the observers of its delivery")
  func writesBeforeTrigger() {
    let queue = DispatchQueue(label: "hand-over")
    let failures = Guarded<[String]>([])
    onThreads(4) { thread in
      let page = Page()
      let seen = Atomic(0)
      let arrival = DispatchSemaphore(value: 0)
      let event = LazySimpleEvent(on: queue)
      let token = event.addObserver { [page] _ in
        seen.store(page.value, ordering: .releasing)
        arrival.signal()
      }
      for round in 1...Stress.rounds(100_000) {
        page.value = round
        event.trigger()
        guard arrival.waitOrGiveUp(), seen.load(ordering: .acquiring) == round else {
          failures.withLock { $0.append("thread \(thread) lost round \(round)") }
          break
        }
      }
      withExtendedLifetime(token) {}
    }
    #expect(failures.withLock { $0 } == [])
  }
}

/// Data without synchronisation of its own.
// SAFETY: `@unchecked`, since the trigger orders the write before the read. The thread sanitizer checks it.
private final class Page: @unchecked Sendable {
  var value: Int = 0
}
