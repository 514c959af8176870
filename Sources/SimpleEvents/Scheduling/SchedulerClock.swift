/// A clock for tasks that shows the time of a scheduler.
///
/// Code that sleeps takes a clock, so that a test can pass virtual time:
///
/// ```swift
/// func retry(on clock: SchedulerClock) async throws {
///   try await clock.sleep(for: .seconds(5))
/// }
/// try await retry(on: SchedulerClock(.global()))
/// ```
///
/// A sleep is one entry of the scheduler. Sleeps with equal deadlines end in the order in which they began
/// (S1). When a sleeping task is cancelled, its entry is released immediately (S2). The clock may be used
/// from any thread.
public struct SchedulerClock: Clock {
  private let scheduler: any EventScheduler

  /// Creates the clock of a scheduler.
  ///
  /// - Parameter scheduler: The scheduler whose time the clock shows. The clock keeps the scheduler alive.
  public init(_ scheduler: some EventScheduler) {
    self.scheduler = scheduler
  }

  /// The current instant of the scheduler.
  public var now: EventInstant { scheduler.now }

  /// The smallest difference between two instants: one nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the task for a duration.
  ///
  /// The task stays on its actor, whereas the function of the same name in the standard library leaves the
  /// actor for a moment.
  ///
  /// - Parameters:
  ///   - duration: The time for which the task sleeps. If the duration is zero or less, the sleep ends as
  ///     soon as the scheduler can run work.
  ///   - tolerance: The delay that the caller accepts; nil means that the task wakes as soon as possible.
  /// - Throws: `CancellationError` if the task is cancelled before it wakes, or if the scheduler can
  ///   no longer run work (S7).
  public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
  }

  /// Suspends the task until a deadline.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the task wakes. If the instant is in the past, the sleep ends as soon
  ///     as the scheduler can run work.
  ///   - tolerance: The delay that the caller accepts; nil means that the task wakes as soon as possible.
  /// - Throws: `CancellationError` if the task is cancelled before it wakes, or if the scheduler can
  ///   no longer run work (S7).
  public func sleep(until deadline: EventInstant, tolerance: Duration? = nil) async throws {
    let sleep = PendingSleep()
    let end = await CancellableWait.suspend(for: .deadline(on: scheduler)) {
      sleep.begin(on: scheduler, until: deadline, tolerance: tolerance ?? .zero, $0)
    } cancel: {
      sleep.cancel()
    }
    if end == .cancelled { throw CancellationError() }
  }
}
