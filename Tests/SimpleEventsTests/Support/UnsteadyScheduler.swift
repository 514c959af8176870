import SimpleEvents
import SimpleEventsTesting
import Synchronization
import TestSupport

/// A test scheduler whose timers do not come when they should, and whose turns take their time.
///
/// Virtual time goes on as on the scheduler that it stands on; only what is run moves.
final class UnsteadyScheduler: EventScheduler {
  /// When a timer comes that has been armed at an instant for a deadline.
  typealias Fault = @Sendable (_ armed: EventInstant, _ deadline: EventInstant) -> EventInstant

  private let base: TestScheduler
  private let fault: Fault
  private let turnDelay: Duration

  init(_ base: TestScheduler, turnDelay: Duration = .zero, _ fault: @escaping Fault) {
    self.base = base
    self.turnDelay = turnDelay
    self.fault = fault
  }

  /// Half the time that is left, again and again, and exact in the last millisecond: early, against the
  /// promise of a scheduler, so that whoever asked has to send it away.
  static func early(_ base: TestScheduler) -> UnsteadyScheduler {
    UnsteadyScheduler(base) { armed, deadline in
      let left = armed.duration(to: deadline)
      return left <= .milliseconds(1) ? deadline : armed.advanced(by: left / 2)
    }
  }

  /// By the same time too late, always.
  static func late(_ base: TestScheduler, by lateness: Duration) -> UnsteadyScheduler {
    UnsteadyScheduler(base) { _, deadline in deadline.advanced(by: lateness) }
  }

  /// In one burst at the end of a pause, if due in it: the machine was asleep.
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
