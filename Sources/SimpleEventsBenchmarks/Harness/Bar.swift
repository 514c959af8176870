/// What our first subject has to reach in a workload, at its main size.
struct Bar {
  enum Kind {
    /// The median, as a multiple of another subject's in the same run.
    case ratio(to: String)
    /// The median, as a multiple of our own at a smaller size.
    case growth(from: Int)
    /// The median in nanoseconds an operation.
    case nanoseconds
    /// A count.
    case count(Count)
  }

  let kind: Kind
  let limit: Double

  /// At most so many times the median of another subject.
  static func ratio(_ limit: Double, to subject: String) -> Bar {
    Bar(kind: .ratio(to: subject), limit: limit)
  }

  /// At most so many times our own median at a smaller size.
  static func growth(_ limit: Double, from size: Int) -> Bar {
    Bar(kind: .growth(from: size), limit: limit)
  }

  /// At most so many nanoseconds an operation.
  static func nanoseconds(_ limit: Double) -> Bar {
    Bar(kind: .nanoseconds, limit: limit)
  }

  /// At most so many of what is counted.
  static func count(_ count: Count, atMost limit: Double) -> Bar {
    Bar(kind: .count(count), limit: limit)
  }
}

/// A bar, and what was measured.
struct Verdict {
  let bar: Bar
  let value: Double

  var isMet: Bool { value <= bar.limit }
}
