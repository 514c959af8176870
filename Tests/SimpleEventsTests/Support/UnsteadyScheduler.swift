import SimpleEvents
import SimpleEventsTesting
import TestSupport

/// A scheduler over a test scheduler whose timers fire at wrong instants, and whose turns may be delayed.
///
/// The clock is the test scheduler's.
final class UnsteadyScheduler: EventScheduler {
  /// Returns the instant at which a timer fires that is armed for a deadline.
  typealias Fault = @Sendable (_ armed: EventInstant, _ deadline: EventInstant) -> EventInstant

  private let base: TestScheduler
  private let fault: Fault
  private let turnDelay: Duration

  init(_ base: TestScheduler, turnDelay: Duration = .zero, _ fault: @escaping Fault) {
    self.base = base
    self.turnDelay = turnDelay
    self.fault = fault
  }

  /// A scheduler that breaks S1: a timer fires after half the time that is left, and is exact in the last
  /// millisecond. Its owner must arm it again each time.
  static func early(_ base: TestScheduler) -> UnsteadyScheduler {
    UnsteadyScheduler(base) { armed, deadline in
      let left = armed.duration(to: deadline)
      return left <= .milliseconds(1) ? deadline : armed.advanced(by: left / 2)
    }
  }

  /// A scheduler whose timers are late by a fixed time.
  static func late(_ base: TestScheduler, by lateness: Duration) -> UnsteadyScheduler {
    UnsteadyScheduler(base) { _, deadline in deadline.advanced(by: lateness) }
  }

  /// A scheduler whose timers that are due within a pause fire at the end of the pause, as when the machine
  /// sleeps.
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
