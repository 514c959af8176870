/// What our first subject has to reach in a workload, at its main size.
struct Bar {
  enum Kind {
    /// The time as a multiple of another subject's: the median of the repetitions' ratios.
    case ratio(to: String)
    /// The time as a multiple of our own at a smaller size. By the minima, since sizes are measured one
    /// after the other, and what else the machine does may change meanwhile.
    case growth(from: Int)
    /// Nanoseconds an operation. By the minimum: no other subject is there to share a bad moment.
    case nanoseconds
    /// A count.
    case count(Count)
  }

  let kind: Kind
  let limit: Double

  /// At most so many times as long as another subject.
  static func ratio(_ limit: Double, to subject: String) -> Bar {
    Bar(kind: .ratio(to: subject), limit: limit)
  }

  /// At most so many times as long as at a smaller size.
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
