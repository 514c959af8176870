/// A limit for the first subject of a workload.
struct Bar {
  enum Kind {
    /// The time as a multiple of another subject's time. The value is the median of the repetitions' ratios.
    case ratio(to: String)
    /// The time as a multiple of the same subject's time at a smaller size.
    ///
    /// Minima are compared, because the sizes are measured at different times, and the load of the machine
    /// may change in between.
    ///
    /// If `comparedWith` names another subject, the value is the growth as a multiple of that subject's
    /// growth.
    case growth(from: Int, comparedWith: String?)
    /// A count.
    case count(Count)
  }

  let kind: Kind
  let limit: Double
  /// The size to which the bar applies; nil for the workload's main size.
  let size: Int?

  /// A limit for the time as a multiple of another subject's time.
  ///
  /// - Parameter size: The size to which the bar applies. By default it is the workload's main size.
  static func ratio(_ limit: Double, to subject: String, at size: Int? = nil) -> Bar {
    Bar(kind: .ratio(to: subject), limit: limit, size: size)
  }

  /// A limit for the growth: the time as a multiple of the time at a smaller size.
  ///
  /// If another subject is given, the limit is for the growth as a multiple of the growth of that subject.
  static func growth(_ limit: Double, from size: Int, comparedWith other: String? = nil) -> Bar {
    Bar(kind: .growth(from: size, comparedWith: other), limit: limit, size: nil)
  }

  /// A limit for a count.
  static func count(_ count: Count, atMost limit: Double) -> Bar {
    Bar(kind: .count(count), limit: limit, size: nil)
  }
}
