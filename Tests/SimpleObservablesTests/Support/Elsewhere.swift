import SimpleEvents
import SimpleEventsTesting
import Synchronization

/// A test scheduler as it looks from another thread: nobody is on it, save the work that it runs.
///
/// So a test of what crosses threads needs no second one.
final class Elsewhere: EventScheduler {
  private let scheduler: TestScheduler
  private let depth: Atomic<Int> = Atomic(0)

  init(_ scheduler: TestScheduler) {
    self.scheduler = scheduler
  }

  var now: EventInstant { scheduler.now }
  var isCurrent: Bool { depth.load(ordering: .relaxed) > 0 }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    scheduler.schedule { [self] in enter(work) }
  }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    scheduler.schedule(at: deadline, tolerance: tolerance) { [self] in enter(work) }
  }

  /// Runs work as though it were on this scheduler.
  func enter(_ work: () -> Void) {
    depth.add(1, ordering: .relaxed)
    work()
    depth.subtract(1, ordering: .relaxed)
  }
}
