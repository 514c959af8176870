internal import CPlatform
internal import SimpleEvents
internal import SimpleEventsTesting

/// The output of the options `--stats` and `--trace` at the end of the program.
struct Report {
  /// The number of deliveries in a trace.
  private static let traceCapacity: Int = 10_000

  /// The report of the program. The lock is held while the report is written, so that another thread that
  /// ends the program waits.
  private static let current: Guarded<Report?> = Guarded(nil)

  private let inspector: CoalescingInspector?
  private let trace: (recorder: CoalescingTrace, file: Output)?
  /// The work of the program; nil before the start.
  private var job: (any Job)?

  /// Watches the objects that are created later, if the settings say so. Exits if there is no file for a
  /// trace, before a line is read.
  static func open(_ settings: FilterSettings) {
    let inspector = settings.writesStatistics ? CoalescingInspector() : nil
    let trace = settings.trace.map { (CoalescingTrace(capacity: traceCapacity), openFile($0)) }
    switch (inspector, trace) {
    case (nil, nil): return
    case (let inspector?, nil): CoalescingSystem.bootstrap(inspector)
    case (nil, let (trace, _)?): CoalescingSystem.bootstrap(trace)
    case (let inspector?, let (trace, _)?):
      CoalescingSystem.bootstrap(MultiplexCoalescingMonitor(inspector, trace))
    }
    current.withLock { $0 = Report(inspector: inspector, trace: trace) }
  }

  /// Sets the job to report on.
  static func begin(on job: any Job) {
    current.withLock { $0?.job = job }
  }

  /// Writes the report, once; returns whether that has succeeded.
  @discardableResult
  static func finish() -> Bool {
    current.withLock { report in
      defer { report = nil }
      return report?.write() ?? true
    }
  }

  private static func openFile(_ path: String) -> Output {
    do throws(SystemError) {
      return try Output.open(path, waits: false)
    } catch {
      Output.report("cannot write \(path): \(error.reason)")
      _exit(EXIT_FAILURE)
    }
  }

  private func write() -> Bool {
    if let inspector { writeStatistics(inspector.snapshot()) }
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
      Output.report("\(file.name) has the latest \(Self.traceCapacity) deliveries of more")
    }
    return true
  }

  private func writeStatistics(_ snapshot: CoalescingInspector.Snapshot) {
    if let lines = job?.lines {
      Output.report("\(counted(lines.total, "line")), \(lines.dropped) dropped")
    }
    // The loop of the runs is created before the callback that requests them.
    for entry in snapshot.sorted(by: { $0.id > $1.id }) {
      let statistics = entry.statistics
      let deliveries =
        entry.source.type == RefreshLoop.self
        ? counted(statistics.deliveries, "run")
        : counted(statistics.deliveries, "delivery", plural: "deliveries")
      Output.report(
        "\(deliveries) for \(counted(statistics.signals, "signal")), "
          + "latency \(statistics.averageLatency.short) (longest \(statistics.longestLatency.short)), "
          + "duration \(statistics.averageDuration.short) (longest \(statistics.longestDuration.short))")
    }
  }
}
