import SimpleEvents
import SimpleEventsTesting
import TestSupport

/// A scheduler that treats every caller outside its turns as a caller from elsewhere.
struct DistantScheduler: EventScheduler {
  let base: TestScheduler
  let isOnTurn: Flag = Flag()

  var now: EventInstant { base.now }
  var isCurrent: Bool { isOnTurn.isSet }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    base.schedule { [isOnTurn] in
      isOnTurn.set()
      work()
      isOnTurn.set(false)
    }
  }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    base.schedule(at: deadline, tolerance: tolerance, work)
  }
}
