import SimpleEvents
import SimpleEventsTesting
import Synchronization

/// A scheduler based on a test scheduler. A caller is current only inside work that the scheduler runs.
///
/// With this scheduler, a test of values that cross threads runs on one thread.
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

  /// Runs work as if this scheduler ran it.
  func enter(_ work: () -> Void) {
    depth.add(1, ordering: .relaxed)
    work()
    depth.subtract(1, ordering: .relaxed)
  }
}
