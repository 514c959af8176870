internal import Foundation

/// The benchmark program; see `Options.usage`.
@main
enum Benchmarks {
  /// Every workload, in the order of the table.
  static var all: [Workload] {
    Fanout.workloads + Churn.workloads + Triggering.workloads + Storms.workloads + Delivery.workloads
      + Mailbox.workloads + Values.workloads + SubjectChurn.workloads + VirtualTime.workloads
      + Memory.workloads
  }

  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.wantsHelp {
        return print(Options.usage, terminator: "")
      }
      let workloads = all.filter { options.filter.map($0.name.contains) ?? true }
        .map { options.subject.map($0.restricted) ?? $0 }
        .filter { !$0.subjects.isEmpty }
      if options.lists {
        return workloads.forEach { print($0.name) }
      }
      exit(try run(workloads, options) ? EXIT_SUCCESS : EXIT_FAILURE)
    } catch let error as Options.UsageError {
      complain("\(error.message)\n\(Options.usage)")
      exit(EX_USAGE)
    } catch {
      complain("the report could not be written: \(error)\n")
      exit(EXIT_FAILURE)
    }
  }

  /// Measures and reports; returns whether all counts are right.
  private static func run(_ workloads: [Workload], _ options: Options) throws -> Bool {
    #if DEBUG
      print("NB: a debug build; only a release build's times mean anything")
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
    return faults.isEmpty
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data(message.utf8))
  }
}
