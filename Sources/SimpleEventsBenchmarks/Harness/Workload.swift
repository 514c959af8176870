/// One task that the library and its alternatives perform.
struct Workload {
  /// The number of repetitions for subjects whose times depend on the state of the machine, such as the
  /// number of free processors. With so many repetitions, the subjects take turns every few milliseconds.
  static let many: Int = 60

  let name: String
  /// The name of one operation.
  let unit: String
  /// The sizes at which to measure, in ascending order.
  let sizes: [Int]
  /// The size for bars that have no size of their own.
  let mainSize: Int
  /// The only size of a quick run.
  let quickSize: Int
  /// Whether the operation itself takes longer at a larger size, so that growth is not judged.
  let growsWithSize: Bool
  /// Whether the subjects take turns after each run of a trial, and not after each repetition. In this case
  /// all their trials must be repeatable.
  let alternates: Bool
  /// The number of threads that run the operations.
  let parallelism: Parallelism
  /// The number of repetitions of a full run; nil for the usual number.
  ///
  /// If there are more repetitions than usual, each repetition is shorter.
  let repetitions: Int?
  /// The subject whose time is the divisor in the ratio column.
  let baseline: String
  let bars: [Bar]
  let subjects: [Subject]

  /// - Parameters:
  ///   - mainSize: The size for bars that have no size of their own. By default it is the first size.
  ///   - parallelism: The number of threads. By default it is one.
  ///   - repetitions: The number of repetitions. By default it is the usual number for one thread, and
  ///     ``many`` for several threads.
  ///   - baseline: The subject whose time is the divisor in the ratio column. By default it is the second
  ///     subject.
  init(
    _ name: String, unit: String, sizes: [Int], mainSize: Int? = nil, quickSize: Int,
    growsWithSize: Bool = false, alternates: Bool = false, parallelism: Parallelism = .threads(1),
    repetitions: Int? = nil, baseline: String? = nil, bars: [Bar] = [], subjects: [Subject]
  ) {
    self.name = name
    self.unit = unit
    self.sizes = sizes
    self.mainSize = mainSize ?? sizes[0]
    self.quickSize = quickSize
    self.growsWithSize = growsWithSize
    self.alternates = alternates
    self.parallelism = parallelism
    self.repetitions =
      repetitions ?? (sizes.contains { parallelism.threads(at: $0) > 1 } ? Self.many : nil)
    self.baseline = baseline ?? subjects.dropFirst().first?.name ?? ""
    self.bars = bars
    self.subjects = subjects
  }

  /// Returns the same workload with only the subjects whose names contain a word.
  func restricted(to word: String) -> Workload {
    Workload(
      name, unit: unit, sizes: sizes, mainSize: mainSize, quickSize: quickSize,
      growsWithSize: growsWithSize, alternates: alternates, parallelism: parallelism,
      repetitions: repetitions, baseline: baseline, bars: bars,
      subjects: subjects.filter { $0.name.contains(word) })
  }
}
