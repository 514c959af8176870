import Dispatch
import SimpleEvents
import Synchronization
import Testing

/// A callback never overlaps itself, whoever asks, flushes or cancels, and wherever it runs.
@Suite(.serialized) struct OverlapTests {
  /// What the closure does. NB: `@unchecked`, since `plainCount` is guarded by what is being tested.
  private final class Body: @unchecked Sendable {
    let inside: Atomic<Int> = Atomic(0)
    let overlaps: Atomic<Int> = Atomic(0)
    let count: Atomic<Int> = Atomic(0)
    var plainCount: Int = 0

    func run() {
      if inside.wrappingAdd(1, ordering: .relaxed).oldValue != 0 {
        overlaps.wrappingAdd(1, ordering: .relaxed)
      }
      plainCount += 1
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
    let rounds = Stress.rounds(200_000)
    let relay = Mutex<CoalescingCallback?>(nil)
    let callback = CoalescingCallback(queue: queue) {
      body.run()
      if body.plainCount < rounds {
        relay.withLock { $0 }?.schedule()
      } else {
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
}
