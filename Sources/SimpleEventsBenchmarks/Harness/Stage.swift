internal import Dispatch
internal import SimpleEvents
internal import Synchronization

/// Where one trial takes place: its size, its sink, its queues, and what counts there.
final class Stage {
  let n: Int
  let sink: Sink = Sink()
  /// The counters of a counted pass, nil while time is measured.
  let tally: Tally?
  /// The heap in a counted pass, at the moment from which the bytes of each object count; nil where the
  /// workload is not about objects.
  private(set) var heapMark: Int?

  init(n: Int, isCounted: Bool) {
    self.n = n
    tally = isCounted ? Tally() : nil
  }

  /// Weighs the objects that are made from now on.
  func markHeap() {
    if tally != nil {
      heapMark = HeapMeter.bytesInUse
    }
  }

  /// A new serial queue.
  func queue() -> DispatchQueue {
    DispatchQueue(label: "benchmark")
  }

  /// A queue as a scheduler: itself, or behind counters in a counted pass.
  func scheduler(_ queue: DispatchQueue) -> any EventScheduler {
    if let tally {
      return CountingScheduler(queue, tally)
    }
    return queue
  }

  /// Notes timers that a baseline arms itself.
  func countTimers(_ number: Int) {
    tally?.timersArmed.add(number, ordering: .relaxed)
  }
}
