/// A bar with the value that was measured.
struct Verdict: CustomStringConvertible {
  enum Outcome {
    case met
    case missed
    /// The subjects used fewer processors than their threads need to run in parallel.
    case notJudged
  }

  let bar: Bar
  let value: Double
  let outcome: Outcome
  /// The numbers of processors that the two subjects of a ratio used; nil for a workload of one thread.
  let processors: (own: Double, other: Double)?

  /// - Parameters:
  ///   - processors: The numbers of processors that the two subjects of a ratio used.
  ///   - least: The number of processors that each subject must have used. Otherwise the ratio is not judged.
  init(_ bar: Bar, _ value: Double, processors: (own: Double, other: Double)? = nil, least: Double? = nil) {
    self.bar = bar
    self.value = value
    self.processors = least == nil ? nil : processors
    let isParallel = self.processors.map { min($0.own, $0.other) >= least ?? 0 } ?? true
    outcome = isParallel ? (value <= bar.limit ? .met : .missed) : .notJudged
  }

  var description: String {
    let value = value.formatted(digits: 2)
    let limit = bar.limit.formatted(digits: 2)
    let size = bar.size.map { " at n \($0)" } ?? ""
    let used = processors.map { ", \($0.own.formatted(digits: 2)) and \($0.other.formatted(digits: 2)) cpus" }
    return switch bar.kind {
    case .ratio(let other): "\(value) × \(other)\(size), at most \(limit)\(used ?? "")"
    case .growth(let size, nil): "\(value) × the same at n \(size), at most \(limit)"
    case .growth(let size, let other?): "\(value) × the growth of \(other) from n \(size), at most \(limit)"
    case .count(let count): "\(value) \(count.rawValue), at most \(limit)"
    }
  }
}
