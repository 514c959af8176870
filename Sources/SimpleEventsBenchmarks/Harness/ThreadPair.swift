internal import Foundation
internal import Synchronization

/// Runs one body on two threads at the same time.
enum ThreadPair {
  /// Returns when both are through.
  static func run(_ body: @escaping @Sendable () -> Void) {
    let pair = Pair()
    let thread = Thread {
      pair.meet()
      body()
      pair.isThrough.signal()
    }
    thread.start()
    pair.meet()
    body()
    pair.isThrough.wait()
  }

  private final class Pair: Sendable {
    let isThrough: DispatchSemaphore = DispatchSemaphore(value: 0)
    private let present: Atomic<Int> = Atomic(0)

    /// Returns on both threads at once. Spins, since waking a sleeper takes longer than a good many triggers.
    func meet() {
      // Relaxed: nothing is handed over, and the threads were ordered when the second one was started.
      present.add(1, ordering: .relaxed)
      while present.load(ordering: .relaxed) < 2 {}
    }
  }
}
