/// One task, done by the library and by its alternatives.
struct Workload {
  let name: String
  /// The name of one operation.
  let unit: String
  /// The sizes to measure at, ascending.
  let sizes: [Int]
  /// The size that the bars apply to.
  let mainSize: Int
  /// The one size of a quick run.
  let quickSize: Int
  /// Whether an operation takes longer at a larger size by its nature, so that growth is not judged.
  let growsWithSize: Bool
  /// Whether the subjects take turns run by run. All their trials must be repeatable.
  let alternates: Bool
  /// The subject that the ratio column divides by.
  let baseline: String
  let bars: [Bar]
  let subjects: [Subject]

  /// - Parameters:
  ///   - mainSize: By default the first size.
  ///   - baseline: By default the second subject.
  init(
    _ name: String, unit: String, sizes: [Int], mainSize: Int? = nil, quickSize: Int,
    growsWithSize: Bool = false, alternates: Bool = false, baseline: String? = nil, bars: [Bar] = [],
    subjects: [Subject]
  ) {
    self.name = name
    self.unit = unit
    self.sizes = sizes
    self.mainSize = mainSize ?? sizes[0]
    self.quickSize = quickSize
    self.growsWithSize = growsWithSize
    self.alternates = alternates
    self.baseline = baseline ?? subjects.dropFirst().first?.name ?? ""
    self.bars = bars
    self.subjects = subjects
  }

  /// The same workload, with only the subjects whose name contains a word.
  func restricted(to word: String) -> Workload {
    Workload(
      name, unit: unit, sizes: sizes, mainSize: mainSize, quickSize: quickSize,
      growsWithSize: growsWithSize, alternates: alternates, baseline: baseline, bars: bars,
      subjects: subjects.filter { $0.name.contains(word) })
  }
}

/// One way to do the task of a workload.
struct Subject {
  /// The name; those of the library's own subjects begin with `SimpleEvents`.
  let name: String
  /// A divisor of the size, for alternatives that are too slow or too large at the full size.
  let divisor: Int
  /// Prepares a trial; its time is not measured.
  let prepare: (Fixture) -> Trial

  init(_ name: String, divisor: Int = 1, prepare: @escaping (Fixture) -> Trial) {
    self.name = name
    self.divisor = divisor
    self.prepare = prepare
  }

  var isOurs: Bool { Self.isOurs(name) }

  /// Whether the subject of this name uses the library.
  static func isOurs(_ name: String) -> Bool {
    name.hasPrefix("SimpleEvents ")
  }
}

/// A prepared subject.
struct Trial {
  /// The number of operations in one run.
  let operations: Int
  /// Whether `run` may be called more than once; if not, each measurement prepares a new trial.
  let isRepeatable: Bool
  /// The number of deliveries that must come, given the number of runs and their time in nanoseconds; nil
  /// where nothing is delivered.
  let deliveries: ((Int, Double) -> ClosedRange<Int>)?
  /// The nanoseconds that count for the latest run, in the place of its time; nil if its time counts.
  ///
  /// Used where the subjects take turns run by run.
  let ownTime: (() -> Double)?
  /// Waits for the remaining deliveries; its time is not measured.
  let settle: () -> Void
  /// The operations to measure.
  let run: () -> Void

  init(
    operations: Int, isRepeatable: Bool = true, deliveries: ((Int, Double) -> ClosedRange<Int>)?,
    ownTime: (() -> Double)? = nil, settle: @escaping () -> Void = {}, run: @escaping () -> Void
  ) {
    self.ownTime = ownTime
    self.operations = operations
    self.isRepeatable = isRepeatable
    self.deliveries = deliveries
    self.settle = settle
    self.run = run
  }
}
