/// The times and counts of one subject at one size.
struct Measurement {
  let workload: String
  let subject: String
  let n: Int
  /// Nanoseconds per operation, one number for each repetition.
  let samples: [Double]
  let counts: [Count: Double]

  var median: Double { Self.median(samples) }

  var minimum: Double { samples.min() ?? .nan }

  /// The time as a multiple of the time of another subject of the same run.
  ///
  /// The result is the median of the repetitions' ratios: the subjects of one repetition are measured
  /// within a moment, so most disturbances slow all of them.
  func ratio(to other: Measurement) -> Double {
    Self.median(zip(samples, other.samples).map { $0 / $1 })
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// All measurements of one workload, in the order of sizes and subjects.
struct WorkloadResult {
  let workload: Workload
  let measurements: [Measurement]
  /// Descriptions of the wrong counts.
  let faults: [String]

  func measurement(of subject: String, at size: Int) -> Measurement? {
    guard let subject = workload.subjects.first(where: { $0.name == subject }) else { return nil }
    let n = max(1, size / subject.divisor)
    return measurements.first { $0.subject == subject.name && $0.n == n }
  }

  /// The bars of the workload whose values were measured.
  var verdicts: [Verdict] {
    guard let subject = workload.subjects.first, subject.isOurs,
      let ours = measurement(of: subject.name, at: workload.mainSize)
    else { return [] }
    return workload.bars.compactMap { bar in
      let value: Double? =
        switch bar.kind {
        case .ratio(let other):
          measurement(of: other, at: workload.mainSize).map(ours.ratio)
        case .growth(let size):
          measurement(of: ours.subject, at: size).map { ours.minimum / $0.minimum }
        case .count(let count): ours.counts[count]
        }
      return value.map { Verdict(bar: bar, value: $0) }
    }
  }

  /// The growth of each subject that was measured at several sizes.
  var growths: [Growth] { workload.subjects.compactMap { Growth(self, $0) } }

  /// Descriptions of the missed bars, and of growth of the library's own subjects that is not sound.
  var misses: [String] {
    verdicts.filter { !$0.isMet }.map(\.description)
      + growths.filter { !$0.isSound && Subject.isOurs($0.subject) }.map(\.description)
  }
}
