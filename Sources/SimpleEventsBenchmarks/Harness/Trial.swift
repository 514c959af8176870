/// The prepared task of one subject.
struct Trial {
  /// The number of operations in one run.
  let operations: Int
  /// Whether `run` may be called more than once. If not, each measurement prepares a new trial.
  let isRepeatable: Bool
  /// The number of deliveries that must be made, given the number of runs and their time in nanoseconds; nil
  /// if nothing is delivered.
  let deliveries: ((Int, Double) -> ClosedRange<Int>)?
  /// The nanoseconds that are reported for the latest run instead of its measured time; nil to report the
  /// measured time.
  ///
  /// This is used if subjects take turns after each run, and for trials that are not repeatable.
  let ownTime: (() -> Double)?
  /// Waits for deliveries that a run leaves to other threads. The time of this wait is measured, but not its
  /// processor time.
  let complete: () -> Void
  /// Waits for the remaining deliveries. The time of this wait is not measured.
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
