internal import Foundation

/// How the time of a whole task grows with its size, as the exponent of a power.
///
/// One means linear. The task is n operations, so an operation whose time does not depend on n gives one.
struct Growth {
  let subject: String
  let smallest: Int
  let largest: Int
  /// From the smallest size to the largest, on the minima, which other programs disturb least.
  let exponent: Double

  /// What n log n would give between these sizes, and a quarter more: a larger task leaves the caches,
  /// which costs a linear one up to that much on the sizes used here, and a quadratic one would give 2.
  var limit: Double {
    let logarithms = log(log(Double(max(largest, 3))) / log(Double(max(smallest, 3))))
    return 1.25 + logarithms / log(Double(largest) / Double(smallest))
  }

  var isSound: Bool { exponent <= limit }

  /// The growth of a subject over the sizes it was measured at; nil if that was one only, or if the
  /// operation itself is larger at a larger size.
  init?(_ result: WorkloadResult, _ subject: Subject) {
    guard !result.workload.growsWithSize else { return nil }
    let own = result.measurements.filter { $0.subject == subject.name }
    guard let first = own.first, let last = own.last, last.n > first.n else { return nil }
    self.subject = subject.name
    smallest = first.n
    largest = last.n
    let size = Double(last.n) / Double(first.n)
    exponent = 1 + log(last.minimum / first.minimum) / log(size)
  }
}
