internal import CPlatform
internal import SimpleEvents
internal import SimpleEventsMonitoring
internal import SimpleEventsTesting

/// Writes the output of the options `--stats` and `--trace` at the end of the program.
struct Report: Sendable {
  /// The largest number of deliveries in a trace.
  private static let traceCapacity: Int = 10_000

  private let inspector: CoalescingInspector?
  private let trace: (recorder: CoalescingTrace, file: Output)?

  /// Creates a report about objects that are created later; nil if the settings ask for no report.
  ///
  /// If the file for a trace cannot be opened, the program exits here, before it reads a line.
  init?(_ settings: FilterSettings) {
    let inspector = settings.writesStatistics ? CoalescingInspector() : nil
    let trace = settings.trace.map { path in
      (CoalescingTrace(capacity: Self.traceCapacity), Self.openFile(path))
    }
    switch (inspector, trace) {
    case (nil, nil): return nil
    case (let inspector?, nil): CoalescingSystem.bootstrap(inspector)
    case (nil, let (trace, _)?): CoalescingSystem.bootstrap(trace)
    case (let inspector?, let (trace, _)?):
      CoalescingSystem.bootstrap(MultiplexCoalescingMonitor(inspector, trace))
    }
    self.inspector = inspector
    self.trace = trace
  }

  private static func openFile(_ path: String) -> Output {
    do throws(SystemError) {
      return try Output.open(path, waits: false)
    } catch {
      Output.report("cannot write \(path): \(error.reason)")
      _exit(EXIT_FAILURE)
    }
  }

  /// Writes the report about a job; returns whether the report was written.
  func write(on job: any Job) -> Bool {
    if let inspector { writeStatistics(inspector.snapshot(), job.lines) }
    guard let (recorder, file) = trace else { return true }
    let text =
      file.name.hasSuffix(".svg")
      ? recorder.timeline.svg(legend: "ring: first signal · disc: its delivery · shade: pending, running")
      : recorder.json
    do throws(SystemError) {
      try file.write(Array(text.utf8)[...])
    } catch {
      Output.report("cannot write \(file.name): \(error.reason)")
      return false
    }
    if recorder.overwrittenCount > 0 {
      Output.report("\(file.name) has only the latest \(Self.traceCapacity) deliveries")
    }
    return true
  }

  private func writeStatistics(_ snapshot: CoalescingInspector.Snapshot, _ lines: LineCounts?) {
    if let lines {
      let settled = lines.settled.map { ", \($0) of them by --settle" } ?? ""
      Output.report("\(counted(lines.total, "line")), \(lines.dropped) dropped\(settled)")
    }
    // The callback that requests the runs is reported first. It is created after the loop of the runs, so the
    // order is reversed.
    for entry in snapshot.sorted(by: { $0.id > $1.id }) {
      let statistics = entry.statistics
      let deliveries =
        entry.source.label == "command"
        ? counted(statistics.deliveryCount, "run")
        : counted(statistics.deliveryCount, "delivery", plural: "deliveries")
      Output.report(
        "\(deliveries) for \(counted(statistics.signalCount, "signal")), "
          + "latency \(statistics.averageLatency.short) (longest \(statistics.longestLatency.short)), "
          + "duration \(statistics.averageDuration.short) (longest \(statistics.longestDuration.short))")
    }
  }
}
