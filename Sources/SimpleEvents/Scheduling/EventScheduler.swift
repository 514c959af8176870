/// The source of time and of turns for everything in this package.
///
/// A dispatch queue is a scheduler, so a program names the queue that its observers run on. A test passes a
/// `TestScheduler` instead, and the same code runs in virtual time:
///
/// ```swift
/// let live = LazySimpleEvent(on: .main)
/// let tested = LazySimpleEvent(on: TestScheduler())
/// ```
///
/// A conforming type keeps the contracts S1 and S2, see <doc:Contracts>. All members may be called from any thread,
/// and none calls the caller's code before it returns.
public protocol EventScheduler: Sendable {
  /// The current instant on this scheduler's monotonic time line.
  var now: EventInstant { get }

  /// Whether the caller is running on this scheduler.
  var isCurrent: Bool { get }

  /// Runs work on the next turn of this scheduler.
  ///
  /// - Parameter work: Called once, after this call has returned.
  func schedule(_ work: @escaping @Sendable () -> Void)

  /// Runs work at a deadline, or as soon as possible after it.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the work is due, on this scheduler's time line.
  ///   - tolerance: The time by which the work may be late, which lets the machine sleep longer.
  ///   - work: Called once, never before the deadline and never before this call has returned.
  /// - Returns: The means to cancel the work. Releasing it does not cancel the work.
  @discardableResult func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork

  /// The executor that asynchronous deliveries prefer; nil, the default, means the global pool of the concurrency runtime.
  var taskExecutor: (any TaskExecutor)? { get }
}

extension EventScheduler {
  /// No preference.
  public var taskExecutor: (any TaskExecutor)? { nil }
}

/// Work that is scheduled for a deadline.
public protocol ScheduledWork: AnyObject, Sendable {
  /// Cancels the work: it does not run, and its captures are released before this call returns.
  ///
  /// Idempotent, callable from any thread. Work that has begun runs to its end.
  func cancel()
}
