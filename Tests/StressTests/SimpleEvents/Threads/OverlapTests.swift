import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// The deliveries of one callback. They never overlap.
@Suite(.serialized) struct OverlapTests {
  /// The closure of a callback. It counts its calls and the overlaps among them.
  // SAFETY: `@unchecked`, because deliveries do not overlap (C1), so no two threads access `plainCount` at
  // the same time. The thread sanitizer checks this.
  private final class Body: @unchecked Sendable {
    let inside: Atomic<Int> = Atomic(0)
    let overlaps: Atomic<Int> = Atomic(0)
    let count: Atomic<Int> = Atomic(0)
    var plainCount: Int = 0

    /// - Parameter length: The number of atomic operations that the call performs. About 200 take a
    ///   microsecond.
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

  @Test(
    "C1: deliveries on a concurrent queue do not overlap while threads flush and cancel",
    arguments: [
      CoalescingPolicy.nextTurn, .throttle(.microseconds(2)), .throttle(.microseconds(2), edges: .leading),
      .audit(.microseconds(2)), .debounce(.microseconds(1), maxWait: .microseconds(5)),
    ])
  func flushesAndCancels(_ policy: CoalescingPolicy) {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let body = Body()
    let callback = CoalescingCallback(on: queue, policy: policy) { body.run() }
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
    // The barrier waits for the work that is already in the queue. Cancelled timers may still be armed.
    callback.cancel()
    queue.sync(flags: .barrier) {}
    #expect(body.overlaps.load(ordering: .relaxed) == 0)
    #expect(body.count.load(ordering: .relaxed) > 0)
    #expect(body.plainCount == body.count.load(ordering: .relaxed))
  }

  @Test("C1: a request inside a delivery gives one more delivery, and the two do not overlap")
  func requestInsideDelivery() {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let finished = DispatchSemaphore(value: 0)
    let body = Body()
    let rounds = Stress.rounds(20_000)
    let relay = Guarded<CoalescingCallback?>(nil)
    let callback = CoalescingCallback(on: queue) {
      let isLast = body.plainCount + 1 == rounds
      if !isLast {
        relay.withLock { $0 }?.schedule()
      }
      // The delivery is long enough for another thread of the queue to wake up and to run an overlapping
      // delivery.
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

  /// A flush delivers before the turn that was requested. On a concurrent queue the turn may run at any
  /// moment, even in the middle of the flush's delivery.
  @Test("C1: a turn that comes in the middle of a delivery does nothing")
  func turnInsideDelivery() {
    let turns = ManualTurns()
    var log: [String] = []
    weak var again: CoalescingCallback?
    let callback = CoalescingCallback(on: turns) {
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
