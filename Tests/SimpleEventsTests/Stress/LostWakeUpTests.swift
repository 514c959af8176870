import Dispatch
import SimpleEvents
import Synchronization
import Testing

/// What was written before a request is seen by the delivery that answers it, with nothing else to see to that.
@Suite(.serialized) struct LostWakeUpTests {
  /// One place to publish in, and the callback that is asked to look there.
  private final class Lane: Sendable {
    let published: Atomic<Int> = Atomic(0)
    let seen: Atomic<Int> = Atomic(0)
  }

  /// Two requests a round: one that makes a delivery pending, and one that comes right after the data and,
  /// with luck, at the very moment when that delivery starts. Lost is what only a third request would bring.
  ///
  /// The data is relaxed, so all order there is comes from the requests. Many lanes are under way at once: the
  /// queue works them off behind the thread that asks, and the two meet somewhere in each batch.
  @Test(arguments: [
    (CoalescingPolicy.nextTurn, 1_000_000), (.throttle(.nanoseconds(1)), 200_000),
    (.audit(.microseconds(5)), 200_000), (.debounce(.microseconds(5)), 200_000),
  ])
  func `C2: a request that meets the start of a delivery is not lost`(
    _ policy: CoalescingPolicy, _ rounds: Int
  ) {
    let queue = DispatchQueue(label: "litmus")
    let arrivals = DispatchSemaphore(value: 0)
    let lanes = (0..<64).map { _ in Lane() }
    let callbacks = lanes.map { lane in
      CoalescingCallback(queue: queue, policy: policy) {
        let value = lane.published.load(ordering: .relaxed)
        if lane.seen.exchange(value, ordering: .relaxed) != value {
          arrivals.signal()
        }
      }
    }
    var random = SeededGenerator(seed: 2)
    for round in 1...Stress.rounds(rounds) / lanes.count {
      let lag = Int.random(in: 0..<lanes.count, using: &random)
      for step in 0..<lanes.count + lag {
        if step < lanes.count {
          callbacks[step].schedule()
        }
        if step >= lag {
          lanes[step - lag].published.store(round, ordering: .relaxed)
          callbacks[step - lag].schedule()
        }
      }
      for arrived in 0..<lanes.count where !arrivals.waitOrGiveUp() {
        Issue.record("\(lanes.count - arrived) of \(lanes.count) wake-ups were lost in batch \(round)")
        return
      }
    }
  }

  /// Several threads, each with an event of its own on one queue. The data is a plain variable, so the thread
  /// sanitizer sees whether the trigger really orders the write before the read.
  @Test func `E4: plain data is handed over by the trigger alone`() {
    let queue = DispatchQueue(label: "hand-over")
    let failures = Mutex<[String]>([])
    onThreads(4) { thread in
      let page = Page()
      let seen = Atomic(0)
      let arrival = DispatchSemaphore(value: 0)
      let event = LazySimpleEvent(queue: queue)
      let token = event.addObserver(isolation: nil) { [page] _ in
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

/// Plain data. NB: `@unchecked`, since whoever may use it is what the test is about.
private final class Page: @unchecked Sendable {
  var value: Int = 0
}
