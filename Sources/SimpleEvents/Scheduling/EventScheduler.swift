/// Where and when work runs: the one source of time and of turns for everything in this package.
///
/// A dispatch queue is a scheduler, so in a program you name the queue that your observers live on. In
/// a test you pass a `TestScheduler` instead, and the same code runs in virtual time:
///
/// ```swift
/// let live = LazySimpleEvent(queue: .main)
/// let tested = LazySimpleEvent(scheduler: TestScheduler())
/// ```
///
/// A conforming type keeps these promises:
/// - **S1** `schedule(_:)` never runs the work before it returns, and runs it first in, first out.
///   `schedule(at:tolerance:_:)` never runs early, and keeps equal deadlines in the order scheduled.
///   ``now`` is monotonic and never the wall clock.
/// - **S2** Cancelled work does not run, also when it is due already, and is released at once.
///
/// All members may be called from any thread. None of them calls the caller's code before returning.
public protocol EventScheduler: Sendable {
  /// The current instant on this scheduler's monotonic time line.
  var now: EventInstant { get }

  /// Whether the caller is running on this scheduler.
  var isCurrent: Bool { get }

  /// Runs work on the next turn of this scheduler.
  ///
  /// - Parameter work: Called once, after this call has returned.
  func schedule(_ work: @escaping @Sendable () -> Void)

  /// Runs work at a deadline, or as soon after it as the scheduler can.
  ///
  /// - Parameters:
  ///   - deadline: When the work is due, on this scheduler's time line.
  ///   - tolerance: How much later than the deadline the work may run, to let the machine sleep.
  ///   - work: Called once, never before the deadline and never before this call has returned.
  /// - Returns: The means to cancel the work. Dropping it does not cancel.
  @discardableResult
  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork
}

/// Work that waits for its deadline.
public protocol ScheduledWork: AnyObject, Sendable {
  /// Drops the work: it does not run, and what it captured is released before this call returns.
  ///
  /// Idempotent, from any thread. Work that has begun to run goes on to its end.
  func cancel()
}
