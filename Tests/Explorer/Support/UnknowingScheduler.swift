internal import ExplorerDispatch
internal import SimpleEvents

/// A scheduler on a dispatch queue that does not know whether the caller is on the queue (S6).
// SAFETY: the properties never change.
final class UnknowingScheduler: EventScheduler, @unchecked Sendable {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  var now: EventInstant { queue.now }

  var isCurrent: Bool { false }

  var isKnownElsewhere: Bool { false }

  func schedule(_ work: @escaping @Sendable () -> Void) { queue.schedule(work) }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    queue.schedule(at: deadline, tolerance: tolerance, work)
  }
}
