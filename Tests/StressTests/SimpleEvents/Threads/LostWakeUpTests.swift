import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// A thread writes data before a request, and the delivery of the request reads the data.
///
/// Only the request orders the write before the read.
@Suite(.serialized) struct LostWakeUpTests {
  /// The data of one callback.
  private final class Slate: Sendable {
    let published: Atomic<Int> = Atomic(0)
    let seen: Atomic<Int> = Atomic(0)
  }

  /// The data, and the callback that reads it.
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

    // NB: the method is never inlined. An inlined copy would retain the callback directly before the second
    // call, and the retain empties the store buffer.
    @inline(never)
    func publish(_ value: Int, behind memory: ColdMemory) {
      memory.fillStoreBuffer()
      slate.published.store(value, ordering: .relaxed)
      callback.schedule()
    }
  }

  /// Each round makes two requests of each callback. The first request makes a delivery pending. The second
  /// request follows the write of the data, and often coincides with the start of the delivery. The wake-up
  /// is lost if no delivery reads the data.
  ///
  /// The write of the data waits in the processor's store buffer behind writes to cold memory, so other
  /// threads do not see it yet. Later loads overtake it: a request that only loaded the pending flag would
  /// return too early. The data is accessed with relaxed ordering, so that only the requests order it. There
  /// are many callbacks, so that the queue runs closely behind the requesting thread.
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

  /// Each thread has its own event on a shared queue. The data is a plain variable, so the thread sanitizer
  /// flags a trigger that does not order the write before the read.
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

/// Data without any synchronisation.
// SAFETY: `@unchecked`, because the trigger orders the write before the read. The thread sanitizer checks
// this.
private final class Page: @unchecked Sendable {
  var value: Int = 0
}
