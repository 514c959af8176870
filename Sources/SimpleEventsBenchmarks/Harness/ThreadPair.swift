internal import Foundation
internal import Synchronization

/// Runs one body on two threads at the same time.
enum ThreadPair {
  /// Runs the body on this thread and on a new one, and returns when both have ended.
  static func run(_ body: @escaping @Sendable () -> Void) {
    let pair = Pair()
    let thread = Thread {
      pair.meet()
      body()
      pair.hasEnded.signal()
    }
    thread.start()
    pair.meet()
    body()
    pair.hasEnded.wait()
  }

  private final class Pair: Sendable {
    let hasEnded: DispatchSemaphore = DispatchSemaphore(value: 0)
    private let present: Atomic<Int> = Atomic(0)

    /// Returns on both threads at once.
    ///
    /// It spins, since a thread takes longer to wake than many triggers take.
    func meet() {
      // Relaxed, since the counter publishes no other memory. The start of the second thread orders the rest.
      present.add(1, ordering: .relaxed)
      while present.load(ordering: .relaxed) < 2 {}
    }
  }
}
