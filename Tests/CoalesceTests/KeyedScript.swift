import SimpleEvents
import SimpleEventsTesting
import TestSupport
import coalesce

/// Deliveries of keyed lines in virtual time. Each delivery takes a given time in milliseconds.
final class KeyedScript: Sendable {
  let deliveries: KeyedDeliveries
  let log: Log
  let scheduler: TestScheduler

  /// - Parameters:
  ///   - options: The options of the command line, without the command.
  ///   - duration: The time that each delivery takes.
  init(_ options: String, on scheduler: TestScheduler, duration: Int = 0) throws {
    let words = options.split(separator: " ").map(String.init) + ["--", "true"]
    guard case .filter(let settings) = try Invocation.parse(words), let field = settings.key else {
      throw UsageError("no keys")
    }
    let log = Log()
    self.log = log
    self.scheduler = scheduler
    deliveries = KeyedDeliveries(settings, by: field, on: scheduler, label: "test") { key, batch in
      let lines = String(decoding: batch.lines, as: UTF8.self).split(separator: "\n").joined(separator: ",")
      let key = String(decoding: key.bytes, as: UTF8.self)
      log.add("\(scheduler.milliseconds) \(key): \(lines)")
      if duration > 0 { try? await scheduler.clock.sleep(for: .milliseconds(duration)) }
    }
  }

  var entries: [String] { log.entries }

  /// Adds lines as if they were read together.
  func add(_ lines: String...) {
    _ = deliveries.add { add in
      for line in lines { add(Array(line.utf8)[...], false, 1) }
    }
  }

  /// Adds lines at an instant, as if each line were read alone.
  func add(at milliseconds: Int, _ lines: String...) {
    scheduler.at(milliseconds) { [self] in
      for line in lines { add(line) }
    }
  }
}
