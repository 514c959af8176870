internal import Foundation

/// Prints results as a table.
enum Table {
  private static let widths: [Int] = [44, 8, 11, 11, 6, 8, 8]

  /// Prints the measurements, bars, growth and counts of one workload.
  ///
  /// - Parameter isQuick: Whether the run is too short for valid times. Bars are left out in this case.
  static func print(_ result: WorkloadResult, isQuick: Bool) {
    let workload = result.workload
    Swift.print("\n\(workload.name), per \(workload.unit)")
    Swift.print(row(["", "n", "median ns", "min ns", "cpus", "ratio", "of min"]))
    for measurement in result.measurements {
      Swift.print(row(cells(of: measurement, in: result)))
    }
    for verdict in result.verdicts where !isQuick {
      Swift.print("  \(label(verdict.outcome)) \(verdict)")
    }
    for growth in result.growths {
      Swift.print("  \(growth)")
    }
    for (subject, counts) in mainCounts(of: result) {
      Swift.print("  counts: \(counts): \(subject)")
    }
  }

  private static func label(_ outcome: Verdict.Outcome) -> String {
    switch outcome {
    case .met: "met   "
    case .missed: "MISSED"
    case .notJudged: "not judged:"
    }
  }

  /// Prints the number of bars that are met, the number that are not judged, and each bar that is missed.
  static func printSummary(_ results: [WorkloadResult]) {
    let verdicts = results.flatMap(\.verdicts)
    let judged = verdicts.filter { $0.outcome != .notJudged }
    let others = verdicts.count - judged.count
    Swift.print(
      "\n\(judged.count { $0.outcome == .met }) of \(judged.count) bars met"
        + (others > 0 ? ", \(others) not judged: threads did not run in parallel" : ""))
    for result in results {
      for miss in result.misses {
        Swift.print("  missed: \(result.workload.name): \(miss)")
      }
    }
  }

  private static func cells(of measurement: Measurement, in result: WorkloadResult) -> [String] {
    // A subject with a divided size is compared with the baseline's measurement at the same undivided size.
    let divisor = result.workload.subjects.first { $0.name == measurement.subject }?.divisor ?? 1
    let baseline = result.measurement(of: result.workload.baseline, at: measurement.n * divisor)
    return [
      measurement.subject, "\(measurement.n)", measurement.median.formatted(digits: 1),
      measurement.minimum.formatted(digits: 1), measurement.processors.formatted(digits: 2),
      baseline.map { measurement.ratio(to: $0).formatted(digits: 2) } ?? "",
      baseline.map { (measurement.minimum / $0.minimum).formatted(digits: 2) } ?? "",
    ]
  }

  private static func row(_ cells: [String]) -> String {
    zip(cells, widths).enumerated().map { column, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return column == 0 ? "  " + cell.0 + padding : padding + cell.0
    }.joined(separator: " ")
  }

  private static func mainCounts(of result: WorkloadResult) -> [(String, String)] {
    let workload = result.workload
    let main = workload.subjects.compactMap { subject in
      result.measurement(of: subject.name, at: workload.mainSize)
        ?? result.measurement(of: subject.name, at: workload.quickSize)
    }
    return main.map { measurement in
      let counts = Count.allCases.compactMap { count in
        measurement.counts[count].map { value in
          "\(count.rawValue) \(value.formatted(digits: value == value.rounded() ? 0 : 1))"
        }
      }
      return (measurement.subject, counts.joined(separator: ", "))
    }
  }
}

extension Double {
  /// Formats the number with a fixed number of digits after the point.
  func formatted(digits: Int) -> String {
    String(format: "%.\(digits)f", self)
  }
}
