internal import Foundation

/// Prints results for people.
enum Table {
  private static let widths: [Int] = [44, 8, 11, 11, 8, 8]

  /// - Parameter isQuick: Whether the times mean nothing.
  static func print(_ result: WorkloadResult, isQuick: Bool) {
    let workload = result.workload
    Swift.print("\n\(workload.name), per \(workload.unit)")
    Swift.print(row(["", "n", "median ns", "min ns", "ratio", "of min"]))
    for measurement in result.measurements {
      Swift.print(row(cells(of: measurement, in: result)))
    }
    for verdict in result.verdicts where !isQuick {
      Swift.print("  \(verdict.isMet ? "met   " : "MISSED") \(describe(verdict, in: workload))")
    }
    for growth in workload.subjects.compactMap({ Growth(result, $0) }) {
      Swift.print(
        "  growth n^\(format(growth.exponent, 2)) from \(growth.smallest) to \(growth.largest)"
          + "\(growth.isSound ? "" : ", WORSE THAN n log n"): \(growth.subject)")
    }
    for (subject, counts) in mainCounts(of: result) {
      Swift.print("  counts: \(counts): \(subject)")
    }
  }

  /// Prints how many bars are met, and which are not.
  static func printSummary(_ results: [WorkloadResult]) {
    let verdicts = results.flatMap { result in result.verdicts.map { (result.workload, $0) } }
    let missed = verdicts.filter { !$0.1.isMet }
    Swift.print("\n\(verdicts.count - missed.count) of \(verdicts.count) bars met")
    for (workload, verdict) in missed {
      Swift.print("  missed: \(workload.name): \(describe(verdict, in: workload))")
    }
  }

  private static func cells(of measurement: Measurement, in result: WorkloadResult) -> [String] {
    // A subject of a divided size is compared with the baseline at the same original one.
    let divisor = result.workload.subjects.first { $0.name == measurement.subject }?.divisor ?? 1
    let baseline = result.measurement(of: result.workload.baseline, at: measurement.n * divisor)
    return [
      measurement.subject, "\(measurement.n)", format(measurement.median, 1), format(measurement.minimum, 1),
      baseline.map { format(measurement.ratio(to: $0), 2) } ?? "",
      baseline.map { format(measurement.minimum / $0.minimum, 2) } ?? "",
    ]
  }

  private static func row(_ cells: [String]) -> String {
    zip(cells, widths).enumerated().map { column, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return column == 0 ? "  " + cell.0 + padding : padding + cell.0
    }.joined(separator: " ")
  }

  private static func describe(_ verdict: Verdict, in workload: Workload) -> String {
    let value = format(verdict.value, 2)
    let limit = format(verdict.bar.limit, 2)
    return switch verdict.bar.kind {
    case .ratio(let other): "\(value) × \(other), at most \(limit)"
    case .growth(let size): "\(value) × itself at n \(size), at most \(limit)"
    case .nanoseconds: "\(value) ns, at most \(limit)"
    case .count(let count): "\(value) \(count.rawValue), at most \(limit)"
    }
  }

  private static func mainCounts(of result: WorkloadResult) -> [(String, String)] {
    let workload = result.workload
    let main = workload.subjects.compactMap { subject in
      result.measurement(of: subject.name, at: workload.mainSize)
        ?? result.measurement(of: subject.name, at: workload.quickSize)
    }
    return main.map { measurement in
      let counts = Count.allCases.compactMap { count in
        measurement.counts[count].map { "\(count.rawValue) \(format($0, $0 == $0.rounded() ? 0 : 1))" }
      }
      return (measurement.subject, counts.joined(separator: ", "))
    }
  }

  private static func format(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}
