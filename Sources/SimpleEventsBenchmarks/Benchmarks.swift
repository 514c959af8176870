internal import Foundation

/// The benchmark program. `Options.usage` describes its command line.
@main
enum Benchmarks {
  /// All workloads, in the order of the table.
  static var all: [Workload] {
    // NB: workloads that measure bytes come first. In a fragmented heap the allocator returns blocks that are
    // larger than requested.
    [
      Memory.workloads,
      ValuesMemory.workloads,
      ManyEvents.workloads + ManyDebounced.workloads,
      Keyed.workloads + KeyedStorm.workloads,
      Construct.workloads,
      Fanout.workloads,
      Churn.workloads,
      Triggering.workloads,
      Storms.workloads + Limiting.workloads,
      WakeUp.workloads,
      Deadline.workloads,
      ModelChange.workloads,
      Mailbox.workloads,
      MailboxRally.workloads,
      Collector.workloads,
      Notifications.workloads,
      Observing.workloads,
      Values.workloads,
      ValuesSenders.workloads,
      ValuesInTime.workloads,
      ValuesCombined.workloads,
      ValuesModel.workloads,
      SubjectChurn.workloads,
      RefreshLoops.workloads + RefreshAnswers.workloads,
      BatchLoops.workloads + Loaders.workloads,
      VirtualTime.workloads,
      Monitors.workloads,
    ].flatMap { $0 }
  }

  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.wantsHelp {
        return print(Options.usage, terminator: "")
      }
      if options.showsResults, let results = options.jsonPath {
        let comparisons = try Comparison.all(in: JSONReport.read(from: results))
        if let path = options.svgPath { try write(Chart(comparisons).text, to: path) }
        if let path = options.tablePath { try write(MarkdownTable(comparisons).text, to: path) }
        return
      }
      let workloads = all.filter { options.filter.map($0.name.contains) ?? true }
        .map { options.subject.map($0.restricted) ?? $0 }
        .filter { !$0.subjects.isEmpty }
      guard !workloads.isEmpty else {
        throw Options.UsageError(message: "no workload or subject has such a name")
      }
      if options.lists {
        return workloads.forEach { print($0.name) }
      }
      exit(try run(workloads, options) ? EXIT_SUCCESS : EXIT_FAILURE)
    } catch let error as Options.UsageError {
      complain("\(error.message)\n\(Options.usage)")
      exit(EX_USAGE)
    } catch {
      complain("the report could not be read or written: \(error)\n")
      exit(EXIT_FAILURE)
    }
  }

  /// Measures and reports.
  ///
  /// - Returns: Whether all counts are right and, with `--check`, all bars are met.
  private static func run(_ workloads: [Workload], _ options: Options) throws -> Bool {
    #if DEBUG
      print("This is a debug build: its times mean nothing.")
    #endif
    HeapMeter.keepFreedMemory()
    let runner: Runner = options.isQuick ? .quick : .full
    var results: [WorkloadResult] = []
    for workload in workloads {
      let result = runner.measure(workload)
      Table.print(result, isQuick: options.isQuick)
      results.append(result)
    }
    if !options.isQuick {
      Table.printSummary(results)
    }
    if let path = options.jsonPath {
      try JSONReport.write(results, to: path)
    }
    let faults = results.flatMap(\.faults)
    for fault in faults {
      complain("wrong count: \(fault)\n")
    }
    return faults.isEmpty && !(options.checksBars && results.contains { !$0.misses.isEmpty })
  }

  /// Writes a text to a file, or to standard output if the path is `-`.
  private static func write(_ text: String, to path: String) throws {
    guard path != "-" else { return print(text, terminator: "") }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data(message.utf8))
  }
}
