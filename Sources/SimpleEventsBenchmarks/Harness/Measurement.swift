/// The times and counts of one subject at one size.
struct Measurement {
  let workload: String
  let subject: String
  let n: Int
  /// The nanoseconds per operation, one value for each repetition.
  let samples: [Double]
  /// The number of processors that were used (processor time divided by elapsed time), one value for each
  /// repetition.
  let processorSamples: [Double]
  let counts: [Count: Double]

  var median: Double { Self.median(samples) }

  /// The median of the numbers of processors that were used.
  var processors: Double { Self.median(processorSamples) }

  var minimum: Double { samples.min() ?? .nan }

  /// The time as a multiple of the time of another subject of the same run.
  ///
  /// The result is the median of the repetitions' ratios. The subjects of one repetition are measured shortly
  /// after one another, so most disturbances slow all of them.
  func ratio(to other: Measurement) -> Double {
    Self.median(zip(samples, other.samples).map { $0 / $1 })
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
