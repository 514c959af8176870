/// What was measured of one subject at one size.
struct Measurement {
  let workload: String
  let subject: String
  let n: Int
  /// Nanoseconds an operation, one for each repetition.
  let samples: [Double]
  let counts: [Count: Double]

  var median: Double {
    let sorted = samples.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  var minimum: Double { samples.min() ?? .nan }
}

/// All measurements of one workload, in the order of sizes and subjects.
struct WorkloadResult {
  let workload: Workload
  let measurements: [Measurement]
  /// The counts that were not what they must be, in words.
  let faults: [String]

  func measurement(of subject: String, at size: Int) -> Measurement? {
    guard let subject = workload.subjects.first(where: { $0.name == subject }) else { return nil }
    let n = max(1, size / subject.divisor)
    return measurements.first { $0.subject == subject.name && $0.n == n }
  }

  /// The bars of the workload, as far as what they speak of was measured.
  var verdicts: [Verdict] {
    guard let ours = measurement(of: workload.subjects[0].name, at: workload.mainSize) else { return [] }
    return workload.bars.compactMap { bar in
      let value: Double? =
        switch bar.kind {
        case .ratio(let other):
          measurement(of: other, at: workload.mainSize).map { ours.median / $0.median }
        case .growth(let size):
          measurement(of: ours.subject, at: size).map { ours.median / $0.median }
        case .nanoseconds: ours.median
        case .count(let count): ours.counts[count]
        }
      return value.map { Verdict(bar: bar, value: $0) }
    }
  }
}
