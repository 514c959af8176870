import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// What was written before a request is seen by the delivery that answers it, with nothing else to see to that.
@Suite(.serialized) struct LostWakeUpTests {
  /// One place to publish in.
  private final class Slate: Sendable {
    let published: Atomic<Int> = Atomic(0)
    let seen: Atomic<Int> = Atomic(0)
  }

  /// A place, and the callback that is asked to look there.
  private final class Lane: Sendable {
    private let slate: Slate
    private let callback: CoalescingCallback

    init(_ queue: DispatchQueue, _ policy: CoalescingPolicy, arrivals: DispatchSemaphore) {
      let slate = Slate()
      self.slate = slate
      callback = CoalescingCallback(queue: queue, policy: policy) {
        let value = slate.published.load(ordering: .relaxed)
        if slate.seen.exchange(value, ordering: .relaxed) != value {
          arrivals.signal()
        }
      }
    }

    func request() {
      callback.schedule()
    }

    // NB: a function of its own, since its caller would retain the callback right before the second call,
    // which empties the store buffer.
    @inline(never)
    func publish(_ value: Int, behind clutter: Clutter) {
      clutter.fillStoreBuffer()
      slate.published.store(value, ordering: .relaxed)
      callback.schedule()
    }
  }

  /// Two requests a round: one that makes a delivery pending, and one that comes right after the data and,
  /// with luck, at the very moment when that delivery starts. Lost is what only a third request would bring.
  ///
  /// What was written waits in a buffer of the processor behind the clutter, where others do not see it, while
  /// a load overtakes it: a request that merely looked whether one is pending would find that out too early.
  /// The data is relaxed, so all order there is comes from the requests. Many lanes are under way at once: the
  /// queue works them off close behind the thread that asks.
  @Test(arguments: [
    (CoalescingPolicy.nextTurn, 1_000_000), (.throttle(.nanoseconds(1)), 200_000),
    (.audit(.microseconds(5)), 100_000), (.debounce(.microseconds(5)), 100_000),
  ])
  func `C2: a request that meets the start of a delivery is not lost`(
    _ policy: CoalescingPolicy, _ rounds: Int
  ) {
    let queue = DispatchQueue(label: "litmus")
    let arrivals = DispatchSemaphore(value: 0)
    let lanes = (0..<64).map { _ in Lane(queue, policy, arrivals: arrivals) }
    var random = SeededGenerator(seed: 2)
    let clutter = Clutter()
    let fire = Fire(under: queue)
    defer { fire.quench(queue) }
    for round in 1...Stress.rounds(rounds) / lanes.count {
      let lag = Int.random(in: 0..<4, using: &random)
      for step in 0..<lanes.count + lag {
        if step < lanes.count {
          lanes[step].request()
        }
        if step >= lag {
          lanes[step - lag].publish(round, behind: clutter)
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

/// Keeps a queue from falling asleep between two pieces of work, so that what it is given starts at once.
private final class Fire: Sendable {
  private let isOut: Atomic<Bool> = Atomic(false)

  init(under queue: DispatchQueue) {
    stoke(queue)
  }

  private func stoke(_ queue: DispatchQueue) {
    queue.async { [self] in
      if !isOut.load(ordering: .relaxed) { stoke(queue) }
    }
  }

  func quench(_ queue: DispatchQueue) {
    isOut.store(true, ordering: .relaxed)
    queue.sync {}
  }
}

/// Memory that is written to and far away, so that writing takes long.
private final class Clutter {
  private let words: UnsafeMutableBufferPointer<Int>
  private var position: Int = 0

  init() {
    words = .allocate(capacity: 1 << 22)
    words.initialize(repeating: 0)
  }

  deinit {
    words.deallocate()
  }

  func fillStoreBuffer() {
    for _ in 0..<16 {
      // Far enough apart that no line is close by, and none is fetched ahead.
      position = (position &* 5 &+ 1_048_573) & (words.count - 1)
      words[position] = position
    }
  }
}

/// Plain data. NB: `@unchecked`, since whoever may use it is what the test is about.
private final class Page: @unchecked Sendable {
  var value: Int = 0
}
