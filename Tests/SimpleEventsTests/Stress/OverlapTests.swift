import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// A callback never overlaps itself, whoever asks, flushes or cancels, and wherever it runs.
@Suite(.serialized) struct OverlapTests {
  /// What the closure does. NB: `@unchecked`, since `plainCount` is guarded by what is being tested.
  private final class Body: @unchecked Sendable {
    let inside: Atomic<Int> = Atomic(0)
    let overlaps: Atomic<Int> = Atomic(0)
    let count: Atomic<Int> = Atomic(0)
    var plainCount: Int = 0

    /// - Parameter length: How much there is to do: a microsecond or so for each two hundred.
    func run(length: Int = 0) {
      if inside.wrappingAdd(1, ordering: .relaxed).oldValue != 0 {
        overlaps.wrappingAdd(1, ordering: .relaxed)
      }
      plainCount += 1
      for _ in 0..<length { count.wrappingAdd(0, ordering: .relaxed) }
      count.wrappingAdd(1, ordering: .relaxed)
      inside.wrappingSubtract(1, ordering: .relaxed)
    }
  }

  @Test(arguments: [
    CoalescingPolicy.nextTurn, .throttle(.microseconds(2)), .throttle(.microseconds(2), edges: .leading),
    .audit(.microseconds(2)), .debounce(.microseconds(1), maxWait: .microseconds(5)),
  ])
  func `C1: never two at once on a concurrent queue, with flushes and cancels from everywhere`(
    _ policy: CoalescingPolicy
  ) {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let body = Body()
    let callback = CoalescingCallback(queue: queue, policy: policy) { body.run() }
    onThreads(4) { thread in
      var random = SeededGenerator(seed: UInt64(thread))
      for _ in 0..<Stress.rounds(200_000) {
        switch Int.random(in: 0..<64, using: &random) {
        case 0: queue.async { callback.flush() }
        case 1: callback.cancel()
        case 2: _ = callback.isPending
        case 3: queue.sync { callback.flush() }
        default: callback.schedule()
        }
      }
    }
    // Whatever is under way on the queue comes before the barrier; the last timers may still be armed.
    callback.cancel()
    queue.sync(flags: .barrier) {}
    #expect(body.overlaps.load(ordering: .relaxed) == 0)
    #expect(body.count.load(ordering: .relaxed) > 0)
    #expect(body.plainCount == body.count.load(ordering: .relaxed))
  }

  @Test func `C1: every request made inside a run gets one more, also on a concurrent queue`() {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let finished = DispatchSemaphore(value: 0)
    let body = Body()
    let rounds = Stress.rounds(20_000)
    let relay = Mutex<CoalescingCallback?>(nil)
    let callback = CoalescingCallback(queue: queue) {
      let isLast = body.plainCount + 1 == rounds
      if !isLast {
        relay.withLock { $0 }?.schedule()
      }
      // Long enough for another thread of the queue to wake up, and to come in if it was let.
      body.run(length: 10_000)
      if isLast {
        finished.signal()
      }
    }
    relay.withLock { $0 = callback }
    callback.schedule()
    #expect(finished.waitOrGiveUp())
    relay.withLock { $0 = nil }
    queue.sync(flags: .barrier) {}
    #expect(body.plainCount == rounds)
    #expect(body.overlaps.load(ordering: .relaxed) == 0)
  }

  /// A flush delivers while the turn that was asked for is still to come, which on a concurrent queue may be
  /// at any moment: also in the middle of that delivery.
  @Test func `C1: a turn that comes in the middle of a delivery does nothing`() {
    let turns = Turns()
    var log: [String] = []
    weak var again: CoalescingCallback?
    let callback = CoalescingCallback(scheduler: turns) {
      log.append("{")
      if log.count == 1 {
        again?.schedule()
        turns.runAll()
      }
      log.append("}")
    }
    again = callback
    callback.schedule()
    callback.flush()
    #expect(log == ["{", "}"])
    turns.runAll()
    #expect(log == ["{", "}", "{", "}"])
    withExtendedLifetime(callback) {}
  }
}

/// A scheduler whose turns come when a test says so, even inside one another.
private final class Turns: EventScheduler {
  private let waiting: Mutex<[@Sendable () -> Void]> = Mutex([])

  let now: EventInstant = EventInstant(nanoseconds: 0)
  let isCurrent: Bool = true

  func schedule(_ work: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(work) }
  }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    fatalError("no timers here")
  }

  func runAll() {
    let works = waiting.withLock { waiting -> [@Sendable () -> Void] in
      defer { waiting = [] }
      return waiting
    }
    works.forEach { $0() }
  }
}
