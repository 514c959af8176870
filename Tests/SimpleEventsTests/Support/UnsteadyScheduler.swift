import SimpleEvents
import SimpleEventsTesting
import TestSupport

/// A scheduler based on a test scheduler. Its timers fire at wrong instants, and its turns may be delayed.
///
/// The clock is that of the test scheduler.
final class UnsteadyScheduler: EventScheduler {
  /// Returns the instant at which a timer fires. The arguments are the instant at which it was armed, and its
  /// deadline.
  typealias Fault = @Sendable (_ armed: EventInstant, _ deadline: EventInstant) -> EventInstant

  private let base: TestScheduler
  private let fault: Fault
  private let turnDelay: Duration

  init(_ base: TestScheduler, turnDelay: Duration = .zero, _ fault: @escaping Fault) {
    self.base = base
    self.turnDelay = turnDelay
    self.fault = fault
  }

  /// Returns a scheduler that breaks S1: a timer fires after half the remaining time, and is exact in the
  /// last millisecond. Its owner must arm the timer again each time.
  static func early(_ base: TestScheduler) -> UnsteadyScheduler {
    UnsteadyScheduler(base) { armed, deadline in
      let left = armed.duration(to: deadline)
      return left <= .milliseconds(1) ? deadline : armed.advanced(by: left / 2)
    }
  }

  /// Returns a scheduler whose timers are late by a fixed time.
  static func late(_ base: TestScheduler, by lateness: Duration) -> UnsteadyScheduler {
    UnsteadyScheduler(base) { _, deadline in deadline.advanced(by: lateness) }
  }

  /// Returns a scheduler that pauses, as a sleeping machine does: timers that are due within the pause fire
  /// at its end.
  static func paused(_ base: TestScheduler, _ pause: ClosedRange<Int>) -> UnsteadyScheduler {
    UnsteadyScheduler(base) { _, deadline in
      EventInstant.ms(pause.lowerBound)...EventInstant.ms(pause.upperBound) ~= deadline
        ? .ms(pause.upperBound) : deadline
    }
  }

  var now: EventInstant { base.now }
  var isCurrent: Bool { base.isCurrent }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    if turnDelay == .zero {
      base.schedule(work)
    } else {
      _ = base.schedule(at: base.now.advanced(by: turnDelay), work)
    }
  }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    base.schedule(at: fault(base.now, max(deadline, base.now)), tolerance: tolerance, work)
  }
}
