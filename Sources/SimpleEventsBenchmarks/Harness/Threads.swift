internal import Foundation
internal import Synchronization

/// Runs one body on several threads at the same time.
enum Threads {
  /// Runs the body on this thread and on new ones, and returns when all have ended.
  static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let group = Group(count)
    for _ in 1..<count {
      Thread {
        group.meet()
        body()
        group.hasEnded.signal()
      }.start()
    }
    group.meet()
    body()
    for _ in 1..<count { group.hasEnded.wait() }
  }

  /// Divides a number of calls equally among threads. Each thread numbers its calls from zero.
  static func share(_ n: Int, among count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let each = n / count
    run(count) {
      for number in 0..<each { body(number) }
    }
  }

  private final class Group: Sendable {
    let hasEnded: DispatchSemaphore = DispatchSemaphore(value: 0)
    private let count: Int
    private let present: Atomic<Int> = Atomic(0)

    init(_ count: Int) { self.count = count }

    /// Returns on all threads at the same time.
    ///
    /// It spins, since a thread takes longer to wake than many triggers take. Threads that outnumber the
    /// processors also yield, since a thread that has not begun needs one of them.
    func meet() {
      // Relaxed, since the counter publishes no other memory. The start of a thread orders the rest.
      present.add(1, ordering: .relaxed)
      while present.load(ordering: .relaxed) < count {
        if count > Stopwatch.processors { sched_yield() }
      }
    }
  }
}

/// Runs one body on two threads at the same time.
enum ThreadPair {
  /// Runs the body on this thread and on a new one, and returns when both have ended.
  static func run(_ body: @escaping @Sendable () -> Void) { Threads.run(2, body) }
}
