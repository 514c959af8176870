import Dispatch
import SimpleEvents
import Synchronization
import TestSupport
import Testing

/// C2 and C7: a thread that has signalled finds its signal pending. This holds even if the signal has joined
/// another thread's signal, and the other signal has not reached the gate yet.
///
/// Other threads signal without a pause. The calls that need the pending signal run on the serial queue of
/// the object, so that no delivery comes between them.
@Suite(.serialized) struct OwnSignalTests {
  static let policies: [CoalescingPolicy] = [
    .nextTurn, .throttle(.microseconds(50)), .throttle(.microseconds(50), edges: .trailing),
    .audit(.microseconds(50)), .debounce(.microseconds(50)),
    .debounce(.microseconds(50), maxWait: .microseconds(200)),
    .debounce(.microseconds(50), edges: [.leading, .trailing]),
  ]

  /// Calls a body a number of times on a queue, while three threads call another body.
  ///
  /// - Returns: The number of calls for which the body returned false.
  private func misses(
    _ rounds: Int, on queue: DispatchQueue, beside signal: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable (_ round: Int) -> Bool
  ) -> Int {
    let isOver = Atomic(false)
    let count = Atomic(0)
    onThreads(4) { thread in
      guard thread == 0 else {
        while !isOver.load(ordering: .relaxed) { signal() }
        return
      }
      // The calls are made in short pieces. Between the pieces, the queue has turns for the deliveries of the
      // other threads.
      for start in stride(from: 1, through: rounds, by: 10) {
        queue.sync {
          for round in start..<start + 10 where !body(round) { count.wrappingAdd(1, ordering: .relaxed) }
        }
      }
      isOver.store(true, ordering: .relaxed)
    }
    return count.load(ordering: .relaxed)
  }

  @Test("C7: a flush delivers a signal of the thread that flushes", arguments: policies)
  func flush(_ policy: CoalescingPolicy) {
    let queue = DispatchQueue(label: "own signals")
    let (published, seen) = (Shared(0), Shared(0))
    let callback = CoalescingCallback(on: queue, policy: policy) { seen.value = published.value }
    let misses = misses(Stress.rounds(30_000), on: queue) {
      callback.schedule()
    } _: { round in
      published.value = round
      callback.schedule()
      callback.flush()
      return seen.value == round
    }
    #expect(misses == 0)
  }

  @Test("C2: a signal is pending until its delivery starts", arguments: policies)
  func isPending(_ policy: CoalescingPolicy) {
    let queue = DispatchQueue(label: "own signals")
    let event = LazySimpleEvent(on: queue, policy: policy)
    let misses = misses(Stress.rounds(30_000), on: queue) {
      event.trigger()
    } _: { _ in
      event.trigger()
      defer { event.cancel() }
      return event.isPending
    }
    #expect(misses == 0)
  }
}
