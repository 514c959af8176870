package import SimpleEvents
package import SimpleEventsTesting

// Tests of virtual time count in whole milliseconds.

extension EventInstant {
  /// An instant of a test scheduler, in milliseconds.
  package static func ms(_ milliseconds: Int) -> EventInstant {
    EventInstant(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  /// The whole milliseconds since a test scheduler's start.
  package var milliseconds: Int { Int(nanoseconds / 1_000_000) }
}

extension TestScheduler {
  /// Schedules work at an instant in milliseconds, ahead of all work for that instant that is scheduled
  /// later.
  @discardableResult
  package func at(_ milliseconds: Int, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork {
    schedule(at: .ms(milliseconds), work)
  }

  package func advance(toMilliseconds milliseconds: Int) {
    advance(to: .ms(milliseconds))
  }

  /// The virtual time, in whole milliseconds.
  package var milliseconds: Int { now.milliseconds }
}

extension EventRecorder {
  /// The recorded times, in whole milliseconds.
  package var milliseconds: [Int] {
    times.map { Int($0 / .milliseconds(1)) }
  }
}
