import SimpleEvents
import SimpleEventsTesting
import SimpleObservables

/// Remembers what a subscription was told, in order; for tests that run on one thread.
///
/// NB: `@unchecked` for that reason: work of a test scheduler runs on the thread that advances it.
final class Log: @unchecked Sendable {
  var entries: [String] = []

  func add(_ entry: String) {
    entries.append(entry)
  }
}

extension Observable {
  /// Writes values, the error and the end into a log.
  func log(into log: Log, as name: String = "") -> any SimpleEventToken {
    subscribe(
      onNext: { log.add("\(name)\($0)") }, onError: { log.add("\(name)error \($0)") },
      onDone: { log.add("\(name)done") })
  }
}

/// An error to recognise.
struct Broken: Error, CustomStringConvertible {
  let description: String = "broken"
}

/// Tells when it is gone.
final class Canary {
  private let onDeath: () -> Void

  init(_ onDeath: @escaping () -> Void = {}) {
    self.onDeath = onDeath
  }

  deinit {
    onDeath()
  }
}

extension EventInstant {
  /// An instant of a test scheduler, in milliseconds.
  static func ms(_ milliseconds: Int) -> EventInstant {
    EventInstant(nanoseconds: Int64(milliseconds) * 1_000_000)
  }
}

extension TestScheduler {
  /// Schedules work up front, so that it comes before everything that is scheduled while time goes by.
  func at(_ milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    _ = schedule(at: .ms(milliseconds), work)
  }

  /// The virtual time, in whole milliseconds.
  var milliseconds: Int { Int(now.nanoseconds / 1_000_000) }
}
