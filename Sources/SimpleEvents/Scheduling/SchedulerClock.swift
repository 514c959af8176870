/// The time of a scheduler as a clock for tasks.
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
/// A sleep is one entry of the scheduler, and equal deadlines wake in the order in which the sleeps began
/// (S1). When a sleeping task is cancelled, its entry is released immediately (S2). Usable from any thread.
public struct SchedulerClock: Clock {
  private let scheduler: any EventScheduler

  /// Creates the clock of a scheduler.
  ///
  /// - Parameter scheduler: The scheduler whose time the clock shows. The clock keeps the scheduler alive.
  public init(_ scheduler: some EventScheduler) {
    self.scheduler = scheduler
  }

  /// The present instant of the scheduler.
  public var now: EventInstant { scheduler.now }

  /// The smallest difference between two instants: one nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the task for a duration.
  ///
  /// The task stays on its actor, whereas the function of the same name in the standard library leaves the
  /// actor for a moment.
  ///
  /// - Parameters:
  ///   - duration: How long the task sleeps. Zero and less end the sleep on the scheduler's next turn.
  ///   - tolerance: How much later the task may wake; nil means as soon as the scheduler can.
  /// - Throws: `CancellationError` if the task is cancelled before it wakes, or if the scheduler can
  ///   no longer run work (S7).
  public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
  }

  /// Suspends the task until a deadline.
  ///
  /// - Parameters:
  ///   - deadline: The instant to wake at. An instant in the past ends the sleep on the scheduler's next
  ///     turn.
  ///   - tolerance: How much later the task may wake; nil means as soon as the scheduler can.
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
