internal import Foundation

/// The growth of the time of a task with the size of the task, expressed as the exponent of a power.
///
/// The exponent one means linear growth. A task consists of n operations, so its exponent is one if the time
/// of an operation does not depend on n.
struct Growth: CustomStringConvertible {
  let subject: String
  let smallest: Int
  let largest: Int
  /// The exponent from the smallest size to the largest. It is computed from the minima, which other programs
  /// disturb least.
  let exponent: Double

  /// The largest exponent that counts as sound: the exponent of n log n between the sizes, plus a quarter.
  ///
  /// A larger task does not fit into the caches. At the sizes used here, this increases the exponent of a
  /// linear task by at most a quarter. A quadratic task has the exponent two.
  var limit: Double {
    let logarithms = log(log(Double(max(largest, 3))) / log(Double(max(smallest, 3))))
    return 1.25 + logarithms / log(Double(largest) / Double(smallest))
  }

  var isSound: Bool { exponent <= limit }

  var description: String {
    "growth n^\(exponent.formatted(digits: 2)) from \(smallest) to \(largest)"
      + "\(isSound ? "" : ", WORSE THAN n log n"): \(subject)"
  }

  /// Computes the growth of a subject over its sizes.
  ///
  /// - Returns: The growth; nil if the subject was measured at only one size, or if the operation itself
  ///   depends on the size.
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
