/// A limit for the first subject of a workload, at the workload's main size.
struct Bar {
  enum Kind {
    /// The time as a multiple of another subject's time: the median of the repetitions' ratios.
    case ratio(to: String)
    /// The time as a multiple of the same subject's time at a smaller size.
    ///
    /// Minima are compared: the sizes are measured one after the other, and the load of the machine may
    /// change in between.
    case growth(from: Int)
    /// A count.
    case count(Count)
  }

  let kind: Kind
  let limit: Double

  /// A limit for the time as a multiple of another subject's time.
  static func ratio(_ limit: Double, to subject: String) -> Bar {
    Bar(kind: .ratio(to: subject), limit: limit)
  }

  /// A limit for the time as a multiple of the time at a smaller size.
  static func growth(_ limit: Double, from size: Int) -> Bar {
    Bar(kind: .growth(from: size), limit: limit)
  }

  /// A limit for a count.
  static func count(_ count: Count, atMost limit: Double) -> Bar {
    Bar(kind: .count(count), limit: limit)
  }
}

/// A bar with the value that was measured.
struct Verdict: CustomStringConvertible {
  let bar: Bar
  let value: Double

  var isMet: Bool { value <= bar.limit }

  var description: String {
    let value = value.formatted(digits: 2)
    let limit = bar.limit.formatted(digits: 2)
    return switch bar.kind {
    case .ratio(let other): "\(value) × \(other), at most \(limit)"
    case .growth(let size): "\(value) × the same at n \(size), at most \(limit)"
    case .count(let count): "\(value) \(count.rawValue), at most \(limit)"
    }
  }
}
