internal import Foundation
internal import Synchronization

/// Runs one body on several threads at the same time.
enum Threads {
  /// Runs the body on this thread and on new threads, and returns when all have ended.
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

  /// Calls the body with each number from zero up to, but not including, `n`, on one of several threads.
  ///
  /// A thread that has used its numbers takes the next ones, so all threads are busy until the end.
  static func share(_ n: Int, among count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    guard count > 1 else {
      for number in 0..<n { body(number) }
      return
    }
    let work = Work(n)
    run(count) {
      while let numbers = work.next() {
        for number in numbers { body(number) }
      }
    }
  }

  private final class Work: Sendable {
    private let n: Int
    private let taken: Atomic<Int> = Atomic(0)

    init(_ n: Int) { self.n = n }

    /// Takes the next hundred numbers, or the rest; nil if all numbers were taken.
    func next() -> Range<Int>? {
      // The ordering is relaxed, because the counter publishes no other memory.
      let first = taken.add(100, ordering: .relaxed).oldValue
      return first < n ? first..<min(first + 100, n) : nil
    }
  }

  private final class Group: Sendable {
    let hasEnded: DispatchSemaphore = DispatchSemaphore(value: 0)
    private let count: Int
    private let present: Atomic<Int> = Atomic(0)

    init(_ count: Int) { self.count = count }

    /// Waits until all threads have called this method.
    ///
    /// The threads spin, because waking a thread takes longer than many triggers take. If there are more
    /// threads than processors, they also yield, because a thread that has not begun needs a processor.
    func meet() {
      // The ordering is relaxed, because the counter publishes no other memory. Without this counter, a
      // thread sees what was written before it was started.
      present.add(1, ordering: .relaxed)
      while present.load(ordering: .relaxed) < count {
        if count > Stopwatch.processors { sched_yield() }
      }
    }
  }
}

/// Runs one body on two threads at the same time.
enum ThreadPair {
  /// Runs the body on this thread and on a new thread, and returns when both have ended.
  static func run(_ body: @escaping @Sendable () -> Void) { Threads.run(2, body) }
}
