internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// A scheduler on a dispatch queue. After it is lost, it releases work without running it (S7).
// SAFETY: all fibers run on one thread.
final class LosingScheduler: EventScheduler, @unchecked Sendable {
  private(set) var isLost: Bool = false
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  var now: EventInstant { queue.now }

  var isCurrent: Bool { queue.isCurrent }

  /// Drops the work that has not begun, and all work that is scheduled later.
  func lose() {
    step()
    isLost = true
  }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    step()
    guard !isLost else { return }
    queue.schedule { [self] in
      if !isLost { work() }
    }
  }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    step()
    guard !isLost else { return LostWork() }
    return queue.schedule(at: deadline, tolerance: tolerance) { [self] in
      if !isLost { work() }
    }
  }

  private final class LostWork: ScheduledWork {
    func cancel() {}
  }
}
