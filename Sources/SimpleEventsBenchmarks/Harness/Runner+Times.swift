internal import Dispatch

extension Runner {
  /// Measures a series of runs of each subject in each repetition.
  ///
  /// - Returns: The samples of each subject, in nanoseconds per operation.
  func series(_ workload: Workload, _ sizes: [Int], _ faults: inout [String]) -> [[Double]] {
    var samples: [[Double]] = workload.subjects.map { _ in [] }
    // The first repetition warms up and finds the number of runs that fill a span.
    var runs = workload.subjects.map { _ in 1 }
    for repetition in 0...repetitions {
      for turn in workload.subjects.indices {
        // A different subject begins each repetition, so that no subject always follows the same one.
        let index = (turn + repetition) % workload.subjects.count
        let time = time(workload, workload.subjects[index], sizes[index], runs: runs[index], &faults)
        if repetition > 0 {
          samples[index].append(time.perOperation)
        } else if time.isRepeatable {
          runs[index] = max(1, Int(min(span / max(time.total, 1), 1_000_000)))
        }
      }
    }
    return samples
  }

  private struct Time {
    let total: Double
    let perOperation: Double
    let isRepeatable: Bool
  }

  private func time(
    _ workload: Workload, _ subject: Subject, _ n: Int, runs: Int, _ faults: inout [String]
  ) -> Time {
    let fixture = Fixture(n: n, isCounted: false)
    let trial = subject.prepare(fixture)
    if trial.isRepeatable {
      trial.run()
    }
    let start = DispatchTime.now().uptimeNanoseconds
    for _ in 0..<runs {
      trial.run()
    }
    let total = Double(DispatchTime.now().uptimeNanoseconds - start)
    trial.settle()
    check(fixture, trial, runs: runs + (trial.isRepeatable ? 1 : 0), total, workload, subject, &faults)
    return Time(
      total: total, perOperation: total / Double(runs * trial.operations), isRepeatable: trial.isRepeatable)
  }

  /// Measures rounds of one run of each subject, in random order.
  ///
  /// The time to wake a thread depends on how long and how deeply the thread and its processor have slept.
  /// In a round all subjects wake threads that have slept equally long.
  ///
  /// - Returns: The samples of each subject, in nanoseconds per operation.
  func alternation(_ workload: Workload, _ sizes: [Int], _ faults: inout [String]) -> [[Double]] {
    var samples: [[Double]] = workload.subjects.map { _ in [] }
    var random = Random(seed: 3)
    for _ in 0..<repetitions {
      let fixtures = sizes.map { Fixture(n: $0, isCounted: false) }
      let trials = zip(workload.subjects, fixtures).map { $0.prepare($1) }
      for trial in trials {
        trial.run()
      }
      var totals = trials.map { _ in 0.0 }
      for _ in 0..<rounds {
        for index in trials.indices.shuffled(using: &random) {
          let start = DispatchTime.now().uptimeNanoseconds
          trials[index].run()
          totals[index] += trials[index].ownTime?() ?? Double(DispatchTime.now().uptimeNanoseconds - start)
        }
      }
      for (index, trial) in trials.enumerated() {
        trial.settle()
        check(
          fixtures[index], trial, runs: rounds + 1, totals[index], workload, workload.subjects[index], &faults
        )
        samples[index].append(totals[index] / Double(rounds * trial.operations))
      }
    }
    return samples
  }
}
