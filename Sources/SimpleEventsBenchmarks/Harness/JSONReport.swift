internal import Foundation

/// Results as JSON: an array with one object for each subject at each size.
enum JSONReport {
  struct Row: Codable {
    let workload: String
    let subject: String
    let n: Int
    let median: Double
    let minimum: Double
    /// The number of processors that were used; nil in a report that was written before this field existed.
    let cpus: Double?
    let extra: [String: Double]

    enum CodingKeys: String, CodingKey {
      case workload, subject, n, cpus, extra
      case median = "median_ns"
      case minimum = "min_ns"
    }
  }

  static func write(_ results: [WorkloadResult], to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(results.flatMap(rows))
    try (data + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
  }

  static func read(from path: String) throws -> [Row] {
    try JSONDecoder().decode([Row].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static func rows(of result: WorkloadResult) -> [Row] {
    result.measurements.map { measurement in
      Row(
        workload: measurement.workload, subject: measurement.subject, n: measurement.n,
        median: measurement.median, minimum: measurement.minimum, cpus: measurement.processors,
        extra: extra(of: measurement, in: result))
    }
  }

  private static func extra(of measurement: Measurement, in result: WorkloadResult) -> [String: Double] {
    var extra: [String: Double] = [:]
    for (count, value) in measurement.counts {
      extra[count.rawValue] = value
    }
    guard let subject = result.workload.subjects.first(where: { $0.name == measurement.subject }) else {
      return extra
    }
    let baseline = result.measurement(of: result.workload.baseline, at: measurement.n * subject.divisor)
    if let baseline, baseline.subject != subject.name {
      extra["ratio_to_baseline"] = measurement.ratio(to: baseline)
    }
    if let growth = Growth(result, subject), measurement.n == growth.largest {
      extra["growth_exponent"] = growth.exponent
    }
    if subject.name == result.workload.subjects[0].name && measurement.n == result.workload.mainSize {
      for (number, verdict) in result.verdicts.enumerated() {
        extra["bar_\(number + 1)_limit"] = verdict.bar.limit
        extra["bar_\(number + 1)_value"] = verdict.value
        extra["bar_\(number + 1)_n"] = verdict.bar.size.map(Double.init)
        // This key is missing if the bar was not judged, because threads did not run in parallel.
        if verdict.outcome != .notJudged {
          extra["bar_\(number + 1)_met"] = verdict.outcome == .met ? 1 : 0
        }
      }
    }
    return extra
  }
}
