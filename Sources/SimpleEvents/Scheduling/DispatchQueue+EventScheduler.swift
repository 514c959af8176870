public import Dispatch

/// A dispatch queue as a scheduler: its turns are the queue's, and its clock is the monotonic uptime clock.
///
/// On a serial queue work runs one at a time. On a concurrent queue it starts in order but may overlap, which is
/// safe for everything that coalesces (C1). The main queue has to be drained: a program whose `main` is not `async`
/// calls `dispatchMain()`.
extension DispatchQueue: EventScheduler {
  /// The current reading of the monotonic uptime clock.
  public var now: EventInstant { .uptime }

  /// Whether the caller runs on this queue, or on one that targets it.
  ///
  /// - Complexity: O(1), under a lock on the first call for a queue.
  public var isCurrent: Bool { DispatchQueue.getSpecific(key: companion.key) != nil }

  /// Runs work on the next turn of this queue.
  public func schedule(_ work: @escaping @Sendable () -> Void) { async(execute: work) }

  /// Runs work on this queue at a deadline of the uptime clock.
  @discardableResult public func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    companion.timers.schedule(at: deadline, tolerance: tolerance, on: self, for: self, work)
  }
}

extension DispatchQueue: QueueTimers.Target {
  func offer(_ work: @escaping @Sendable () -> Void) -> Bool {
    async(execute: work)
    return true
  }
}

extension EventInstant {
  /// The current reading of the monotonic uptime clock.
  static var uptime: EventInstant {
    EventInstant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }
}

extension EventScheduler where Self == DispatchQueue {
  /// The main dispatch queue.
  public static var main: DispatchQueue { DispatchQueue.main }
}
