/// A source of time and of turns, on which objects deliver.
///
/// A dispatch queue is a scheduler, so a program passes the queue on which its observers run. A test passes a
/// `TestScheduler` instead, and the same code runs in virtual time:
///
/// ```swift
/// let live = LazySimpleEvent(on: .main)
/// let tested = LazySimpleEvent(on: TestScheduler())
/// ```
///
/// A custom scheduler usually wraps another one. The following example reports how long each turn takes:
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
/// from any thread, and no member runs work inside its own call. If a scheduler can no longer run a piece of
/// work, the scheduler releases the work under no lock. The release ends every wait for that work (S7).
public protocol EventScheduler: Sendable {
  /// The current instant on this scheduler's monotonic time line.
  var now: EventInstant { get }

  /// Whether the caller is known to run on this scheduler.
  ///
  /// An object delivers in place only if this property is true. The property is false if the scheduler does
  /// not know where the caller runs (S6).
  ///
  /// - Complexity: O(1). The property is read for each value that is sent to a scheduler.
  var isCurrent: Bool { get }

  /// Whether the caller is known not to run on this scheduler.
  ///
  /// Diagnostics flag a caller only if this property is true. The default implementation negates
  /// ``isCurrent``. That implementation is correct if the scheduler always knows where the caller runs (S6).
  var isKnownElsewhere: Bool { get }

  /// Runs work on the next turn of this scheduler.
  ///
  /// - Parameter work: The work to run. It is called once, and never inside the call of this method.
  func schedule(_ work: @escaping @Sendable () -> Void)

  /// Runs work at a deadline, or as soon as possible after it.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the work is due, on this scheduler's time line.
  ///   - tolerance: The delay that the caller accepts after the deadline. A tolerance lets the machine sleep
  ///     longer.
  ///   - work: The work to run. It is called once, never before the deadline, and never inside the call of
  ///     this method.
  /// - Returns: An object that can cancel the work. Releasing the object does not cancel the work.
  @discardableResult func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork

  /// The executor that asynchronous deliveries prefer; nil, the default, means the global pool of the
  /// concurrency runtime.
  var taskExecutor: (any TaskExecutor)? { get }
}

extension EventScheduler {
  /// Runs work at a deadline, or as soon as possible after it, with a tolerance of zero.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the work is due, on this scheduler's time line.
  ///   - work: The work to run, as in ``schedule(at:tolerance:_:)``.
  /// - Returns: An object that can cancel the work.
  @discardableResult public func schedule(
    at deadline: EventInstant, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    schedule(at: deadline, tolerance: .zero, work)
  }

  /// True unless the caller is known to run on this scheduler.
  public var isKnownElsewhere: Bool { !isCurrent }

  /// Nil: asynchronous deliveries run on the global pool.
  public var taskExecutor: (any TaskExecutor)? { nil }
}

/// Work that is scheduled for a deadline.
public protocol ScheduledWork: AnyObject, Sendable {
  /// Cancels the work: it does not run, and its captures are released before this call returns.
  ///
  /// The method is idempotent, and may be called from any thread. Work that has begun runs to its end.
  func cancel()
}
