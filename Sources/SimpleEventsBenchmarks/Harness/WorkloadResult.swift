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
      switch bar.kind {
      case .ratio(let other): verdict(bar, on: subject.name, against: other)
      case .growth(let size, nil): growth(of: ours.subject, from: size).map { Verdict(bar, $0) }
      case .growth(let size, let other?):
        if let own = growth(of: ours.subject, from: size), let other = growth(of: other, from: size) {
          Verdict(bar, own / other)
        } else {
          nil
        }
      case .count(let count): ours.counts[count].map { Verdict(bar, $0) }
      }
    }
  }

  /// The time of a subject as a multiple of its time at a smaller size.
  private func growth(of subject: String, from size: Int) -> Double? {
    guard let small = measurement(of: subject, at: size),
      let large = measurement(of: subject, at: workload.mainSize)
    else { return nil }
    return large.minimum / small.minimum
  }

  private func verdict(_ bar: Bar, on subject: String, against other: String) -> Verdict? {
    let size = bar.size ?? workload.mainSize
    guard let own = measurement(of: subject, at: size), let other = measurement(of: other, at: size)
    else { return nil }
    return Verdict(
      bar, own.ratio(to: other), processors: (own.processors, other.processors),
      least: workload.parallelism.leastProcessors(at: size))
  }

  /// The growth of each subject that was measured at several sizes.
  var growths: [Growth] { workload.subjects.compactMap { Growth(self, $0) } }

  /// Descriptions of the missed bars, and of unsound growth of the library's own subjects.
  var misses: [String] {
    verdicts.filter { $0.outcome == .missed }.map(\.description)
      + growths.filter { !$0.isSound && Subject.isOurs($0.subject) }.map(\.description)
  }
}
