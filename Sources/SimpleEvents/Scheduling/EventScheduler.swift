/// The source of time and of turns for every object that delivers.
///
/// A dispatch queue is a scheduler, so a program passes the queue on which its observers run. A test passes a
/// `TestScheduler` instead, and the same code runs in virtual time:
///
/// ```swift
/// let live = LazySimpleEvent(on: .main)
/// let tested = LazySimpleEvent(on: TestScheduler())
/// ```
///
/// A scheduler of your own usually wraps another one. This one reports how long each turn takes:
///
/// ```swift
/// struct MeasuredScheduler<Base: EventScheduler>: EventScheduler {
///   let base: Base
///   let report: @Sendable (Duration) -> Void
///
///   var now: EventInstant { base.now }
///   var isCurrent: Bool { base.isCurrent }
///   var isKnownElsewhere: Bool { base.isKnownElsewhere }
///   var taskExecutor: (any TaskExecutor)? { base.taskExecutor }
///
///   func schedule(_ work: @escaping @Sendable () -> Void) {
///     base.schedule { measure(work) }
///   }
///
///   func schedule(
///     at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
///   ) -> any ScheduledWork {
///     base.schedule(at: deadline, tolerance: tolerance) { measure(work) }
///   }
///
///   private func measure(_ work: () -> Void) {
///     let start = now
///     work()
///     report(start.duration(to: now))
///   }
/// }
/// ```
///
/// A conforming type keeps the contracts S1, S2, S6 and S7, see <doc:Contracts>. All members may be called
/// from any thread, and none runs work before it returns. A scheduler that will not run some work releases
/// it, under no lock; the release ends every wait for that work (S7).
public protocol EventScheduler: Sendable {
  /// The current instant on this scheduler's monotonic time line.
  var now: EventInstant { get }

  /// Whether the caller is known to run on this scheduler.
  ///
  /// Deliveries are made in place only if this is true. False if the caller cannot be known (S6).
  ///
  /// - Complexity: O(1); read for each value that is sent to a scheduler.
  var isCurrent: Bool { get }

  /// Whether the caller is known not to run on this scheduler.
  ///
  /// Diagnostics flag a caller only if this is true. The default is the opposite of ``isCurrent``, which is
  /// correct if the caller is always known (S6).
  var isKnownElsewhere: Bool { get }

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

  /// The executor that asynchronous deliveries prefer; nil, the default, means the global pool of the
  /// concurrency runtime.
  var taskExecutor: (any TaskExecutor)? { get }
}

extension EventScheduler {
  /// True unless the caller is known to run on this scheduler.
  public var isKnownElsewhere: Bool { !isCurrent }

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
