internal import Dispatch
internal import SimpleEvents
internal import TestSupport

/// The environment of one trial: size, sink, queues and counters.
final class Fixture {
  let n: Int
  let sink: Sink = Sink()
  /// The counters of a counted pass; nil while time is measured.
  let tally: Shared<CountingScheduler.Counts>?
  /// The heap bytes before the objects of the workload were created; nil if the workload does not count
  /// bytes, or while time is measured.
  private(set) var heapMark: Int?

  init(n: Int, isCounted: Bool) {
    self.n = n
    tally = isCounted ? Shared(CountingScheduler.Counts()) : nil
  }

  /// Records the heap bytes. Call this method before the workload creates the objects whose bytes it counts.
  func markHeap() {
    if tally != nil {
      heapMark = HeapMeter.settledBytesInUse
    }
  }

  /// Creates a serial queue.
  func queue() -> DispatchQueue {
    DispatchQueue(label: "benchmark")
  }

  /// Returns a scheduler on a queue: the queue itself, or a counting scheduler in a counted pass.
  func scheduler(_ queue: DispatchQueue) -> any EventScheduler {
    if let tally {
      return CountingScheduler(queue, tally)
    }
    return queue
  }

  /// Counts timers that an alternative arms itself.
  func countTimers(_ number: Int) {
    tally?.change { $0.armed += number }
  }
}
