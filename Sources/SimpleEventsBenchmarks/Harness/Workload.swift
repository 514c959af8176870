/// One task, done by the library and by its alternatives.
struct Workload {
  /// So many repetitions that subjects whose times depend on the state of the machine, such as the number of
  /// free processors, take turns every few milliseconds.
  static let many: Int = 60

  let name: String
  /// The name of one operation.
  let unit: String
  /// The sizes to measure at, ascending.
  let sizes: [Int]
  /// The size that bars without a size of their own apply to.
  let mainSize: Int
  /// The one size of a quick run.
  let quickSize: Int
  /// Whether an operation takes longer at a larger size by its nature, so that growth is not judged.
  let growsWithSize: Bool
  /// Whether the subjects take turns run by run. All their trials must be repeatable.
  let alternates: Bool
  /// The number of threads that run the operations.
  let parallelism: Parallelism
  /// The number of repetitions of a full run; nil for the usual one.
  ///
  /// With more repetitions each of them is shorter.
  let repetitions: Int?
  /// The subject that the ratio column divides by.
  let baseline: String
  let bars: [Bar]
  let subjects: [Subject]

  /// - Parameters:
  ///   - mainSize: By default the first size.
  ///   - parallelism: By default one thread.
  ///   - repetitions: By default many for several threads, and the usual number for one.
  ///   - baseline: By default the second subject.
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

  /// The same workload, with only the subjects whose name contains a word.
  func restricted(to word: String) -> Workload {
    Workload(
      name, unit: unit, sizes: sizes, mainSize: mainSize, quickSize: quickSize,
      growsWithSize: growsWithSize, alternates: alternates, parallelism: parallelism,
      repetitions: repetitions, baseline: baseline, bars: bars,
      subjects: subjects.filter { $0.name.contains(word) })
  }
}
