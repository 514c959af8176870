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
  /// Used where the subjects take turns run by run, and in trials that are not repeatable.
  let ownTime: (() -> Double)?
  /// Waits for deliveries that a run leaves to other threads; its time is measured, its processors are not.
  let complete: () -> Void
  /// Waits for the remaining deliveries; its time is not measured.
  let settle: () -> Void
  /// The operations to measure.
  let run: () -> Void

  init(
    operations: Int, isRepeatable: Bool = true, deliveries: ((Int, Double) -> ClosedRange<Int>)?,
    ownTime: (() -> Double)? = nil, complete: @escaping () -> Void = {}, settle: @escaping () -> Void = {},
    run: @escaping () -> Void
  ) {
    self.ownTime = ownTime
    self.complete = complete
    self.operations = operations
    self.isRepeatable = isRepeatable
    self.deliveries = deliveries
    self.settle = settle
    self.run = run
  }
}
