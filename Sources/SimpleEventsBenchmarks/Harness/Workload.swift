/// One row of the table: the same task done by us and by what a user would write instead.
struct Workload {
  let name: String
  /// What one operation is.
  let unit: String
  /// The sizes to measure at, ascending.
  let sizes: [Int]
  /// The size the bars speak of.
  let mainSize: Int
  /// The one size of a quick run.
  let quickSize: Int
  /// Whether an operation is meant to take longer at a larger size: then its growth says nothing.
  let growsWithSize: Bool
  /// The subject that the ratio column divides by.
  let baseline: String
  let bars: [Bar]
  let subjects: [Subject]

  /// - Parameters:
  ///   - mainSize: By default the first size.
  ///   - baseline: By default the second subject.
  init(
    _ name: String, unit: String, sizes: [Int], mainSize: Int? = nil, quickSize: Int,
    growsWithSize: Bool = false, baseline: String? = nil, bars: [Bar] = [], subjects: [Subject]
  ) {
    self.name = name
    self.unit = unit
    self.sizes = sizes
    self.mainSize = mainSize ?? sizes[0]
    self.quickSize = quickSize
    self.growsWithSize = growsWithSize
    self.baseline = baseline ?? subjects.dropFirst().first?.name ?? ""
    self.bars = bars
    self.subjects = subjects
  }

  /// The same workload with the subjects only whose name contains a word.
  func restricted(to word: String) -> Workload {
    Workload(
      name, unit: unit, sizes: sizes, mainSize: mainSize, quickSize: quickSize,
      growsWithSize: growsWithSize, baseline: baseline, bars: bars,
      subjects: subjects.filter { $0.name.contains(word) })
  }
}

/// One way to do the task of a workload. Ours have a name that begins with `SimpleEvents`.
struct Subject {

  let name: String
  /// What the size is divided by, for ways too slow or too hungry for the full one.
  let divisor: Int
  /// Sets a trial up; none of that is measured.
  let prepare: (Stage) -> Trial

  init(_ name: String, divisor: Int = 1, prepare: @escaping (Stage) -> Trial) {
    self.name = name
    self.divisor = divisor
    self.prepare = prepare
  }

  var isOurs: Bool { Self.isOurs(name) }

  /// Whether a subject of this name uses the library.
  static func isOurs(_ name: String) -> Bool {
    name.hasPrefix("SimpleEvents ")
  }
}

/// A subject that is ready to go.
struct Trial {
  /// How many operations one run makes.
  let operations: Int
  /// Whether `run` may be called again and again; if not, each measurement prepares a new trial.
  let isRepeatable: Bool
  /// How many deliveries there are to be, given the number of runs and the nanoseconds they took; nil
  /// where nothing is delivered.
  let deliveries: ((Int, Double) -> ClosedRange<Int>)?
  /// Waits for what is still to come; not measured.
  let settle: () -> Void
  /// What is measured.
  let run: () -> Void

  init(
    operations: Int, isRepeatable: Bool = true, deliveries: ((Int, Double) -> ClosedRange<Int>)?,
    settle: @escaping () -> Void = {}, run: @escaping () -> Void
  ) {
    self.operations = operations
    self.isRepeatable = isRepeatable
    self.deliveries = deliveries
    self.settle = settle
    self.run = run
  }
}
