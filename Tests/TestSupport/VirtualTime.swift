package import SimpleEvents
package import SimpleEventsTesting

// Tests of virtual time count in whole milliseconds.

extension EventInstant {
  /// Returns an instant of a test scheduler, given in milliseconds.
  package static func ms(_ milliseconds: Int) -> EventInstant {
    EventInstant(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  /// The whole milliseconds since the start of a test scheduler.
  package var milliseconds: Int { Int(nanoseconds / 1_000_000) }
}

extension TestScheduler {
  /// Schedules work at an instant in milliseconds. Work that is scheduled later for the same instant runs
  /// after it.
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
