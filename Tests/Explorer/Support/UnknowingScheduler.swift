internal import ExplorerDispatch
internal import SimpleEvents

/// A dispatch queue as a scheduler that does not know where the caller is (S6).
// SAFETY: it never changes.
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
