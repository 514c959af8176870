import SimpleEvents
import TestSupport

/// A scheduler whose clock a test sets. It runs nothing.
final class SetClock: EventScheduler {
  private final class Entry: ScheduledWork {
    func cancel() {}
  }

  private let instant: Shared<EventInstant>

  init(_ nanoseconds: Int64) { instant = Shared(EventInstant(nanoseconds: nanoseconds)) }

  var now: EventInstant { instant.value }
  var isCurrent: Bool { true }

  func set(_ nanoseconds: Int64) { instant.value = EventInstant(nanoseconds: nanoseconds) }

  func schedule(_ work: @escaping @Sendable () -> Void) {}

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork { Entry() }
}
