package import SimpleEventsTesting

/// Runs a body repeatedly on new schedulers, and describes the first trace that differs from an expected one.
///
/// The body receives a scheduler and the log of its trace. Each entry of the trace begins with its instant.
///
/// - Returns: The description; nil if all traces are as expected.
package func firstDifference(
  from expected: [String], runs: Int = 2000, _ body: @escaping @Sendable (Trace) async throws -> Void
) -> String? {
  for index in 0..<runs {
    let trace = Trace()
    do {
      try trace.scheduler.run { try await body(trace) }
    } catch {
      return "run \(index): \(error) after \(trace.entries)"
    }
    if trace.entries != expected || trace.scheduler.pendingCount > 0 {
      return "run \(index): \(trace.entries), \(trace.scheduler.pendingCount) pending"
    }
  }
  return nil
}

/// A scheduler, and the names that code on it has recorded, with the instants.
package final class Trace: Sendable {
  package let scheduler: TestScheduler = TestScheduler()
  private let log: Log = Log()

  init() {}

  package var entries: [String] { log.entries }

  package func add(_ name: String) {
    log.add("\(scheduler.milliseconds) \(name)")
  }

  /// Sleeps for a time of the scheduler.
  package func sleep(_ milliseconds: Int) async throws {
    try await scheduler.clock.sleep(for: .milliseconds(milliseconds))
  }
}
