internal import TestSupport

extension Runner {
  /// The times of one subject, one value for each repetition.
  struct Samples {
    /// The nanoseconds per operation.
    var times: [Double] = []
    /// The numbers of processors that were used: processor time divided by elapsed time.
    var processors: [Double] = []

    mutating func append(_ time: Time) {
      times.append(time.perOperation)
      processors.append(time.processors)
    }
  }

  struct Time {
    let total: Double
    let perOperation: Double
    let processors: Double
    let isRepeatable: Bool
  }

  /// Measures a series of runs of each subject in each repetition.
  func series(_ workload: Workload, _ sizes: [Int], _ faults: inout [String]) -> [Samples] {
    var samples = workload.subjects.map { _ in Samples() }
    let repetitions = repetitions(of: workload)
    // All repetitions together take as long as the usual number of repetitions does.
    let span = span * Double(self.repetitions) / Double(repetitions)
    // The first repetition is the warm-up. It also finds the number of runs that fill a span.
    var runs = workload.subjects.map { _ in 1 }
    for repetition in 0...repetitions {
      for turn in workload.subjects.indices {
        // Each repetition begins with a different subject, so that no subject always follows the same other
        // subject.
        let index = (turn + repetition) % workload.subjects.count
        let time = time(workload, workload.subjects[index], sizes[index], runs: runs[index], &faults)
        if repetition > 0 {
          samples[index].append(time)
        } else if time.isRepeatable {
          runs[index] = max(1, Int(min(span / max(time.total, 1), 1_000_000)))
        }
      }
    }
    return samples
  }

  private func time(
    _ workload: Workload, _ subject: Subject, _ n: Int, runs: Int, _ faults: inout [String]
  ) -> Time {
    let fixture = Fixture(n: n, isCounted: false)
    let trial = subject.prepare(fixture)
    if trial.isRepeatable {
      trial.run()
    }
    let watch = Stopwatch()
    for _ in 0..<runs {
      trial.run()
    }
    let running = watch.elapsed
    let processors = watch.processorTime / running
    trial.complete()
    let total = trial.ownTime?() ?? watch.elapsed
    trial.settle()
    check(fixture, trial, runs: runs + (trial.isRepeatable ? 1 : 0), total, workload, subject, &faults)
    return Time(
      total: total, perOperation: total / Double(runs * trial.operations), processors: processors,
      isRepeatable: trial.isRepeatable)
  }

  /// Measures rounds. A round has one run of each subject, in random order.
  ///
  /// The time to wake a thread depends on how long and how deeply the thread and its processor have slept. In
  /// a round, all subjects wake threads that have slept equally long.
  func alternation(_ workload: Workload, _ sizes: [Int], _ faults: inout [String]) -> [Samples] {
    var samples = workload.subjects.map { _ in Samples() }
    var random = SeededGenerator(seed: 3)
    for _ in 0..<repetitions(of: workload) {
      let fixtures = sizes.map { Fixture(n: $0, isCounted: false) }
      let trials = zip(workload.subjects, fixtures).map { $0.prepare($1) }
      for trial in trials {
        trial.run()
      }
      var totals = trials.map { _ in (own: 0.0, elapsed: 0.0, processors: 0.0) }
      for _ in 0..<rounds {
        for index in trials.indices.shuffled(using: &random) {
          let watch = Stopwatch()
          trials[index].run()
          let elapsed = watch.elapsed
          totals[index].processors += watch.processorTime
          totals[index].elapsed += elapsed
          totals[index].own += trials[index].ownTime?() ?? elapsed
        }
      }
      for (index, trial) in trials.enumerated() {
        trial.settle()
        let total = totals[index]
        check(
          fixtures[index], trial, runs: rounds + 1, total.own, workload, workload.subjects[index], &faults)
        samples[index].append(
          Time(
            total: total.own, perOperation: total.own / Double(rounds * trial.operations),
            processors: total.processors / total.elapsed, isRepeatable: true))
      }
    }
    return samples
  }
}
