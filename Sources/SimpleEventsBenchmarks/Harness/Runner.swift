internal import Dispatch

/// Measures workloads: warms up, repeats, and lets the subjects take turns within each repetition.
struct Runner {
  /// How many measurements each subject gets at each size, beside the one that warms up.
  let repetitions: Int
  /// How long one measurement of a repeatable trial should take, in nanoseconds.
  let span: Double
  /// Whether to use the quick sizes.
  let isQuick: Bool

  static let full: Runner = Runner(repetitions: 15, span: 10_000_000, isQuick: false)
  static let quick: Runner = Runner(repetitions: 2, span: 0, isQuick: true)

  func measure(_ workload: Workload) -> WorkloadResult {
    var measurements: [Measurement] = []
    var faults: [String] = []
    for size in isQuick ? [workload.quickSize] : workload.sizes {
      let sizes = workload.subjects.map { max(1, size / $0.divisor) }
      let counts = zip(workload.subjects, sizes).map { count(workload, $0, $1, &faults) }
      var samples: [[Double]] = workload.subjects.map { _ in [] }
      // The first repetition warms up, and tells how many runs fill a span.
      var runs = workload.subjects.map { _ in 1 }
      for repetition in 0...repetitions {
        for turn in workload.subjects.indices {
          // A different one begins each time, so that none always has the same predecessor.
          let index = (turn + repetition) % workload.subjects.count
          let time = time(workload, workload.subjects[index], sizes[index], runs: runs[index], &faults)
          if repetition > 0 {
            samples[index].append(time.perOperation)
          } else if time.isRepeatable {
            runs[index] = max(1, Int(min(span / max(time.total, 1), 1_000_000)))
          }
        }
      }
      for index in workload.subjects.indices {
        measurements.append(
          Measurement(
            workload: workload.name, subject: workload.subjects[index].name, n: sizes[index],
            samples: samples[index], counts: counts[index]))
      }
    }
    return WorkloadResult(workload: workload, measurements: measurements, faults: faults)
  }

  private struct Time {
    let total: Double
    let perOperation: Double
    let isRepeatable: Bool
  }

  private func time(
    _ workload: Workload, _ subject: Subject, _ n: Int, runs: Int, _ faults: inout [String]
  ) -> Time {
    let stage = Stage(n: n, isCounted: false)
    let trial = subject.prepare(stage)
    if trial.isRepeatable {
      trial.run()
    }
    let start = DispatchTime.now().uptimeNanoseconds
    for _ in 0..<runs {
      trial.run()
    }
    let total = Double(DispatchTime.now().uptimeNanoseconds - start)
    trial.settle()
    check(stage, trial, runs: runs + (trial.isRepeatable ? 1 : 0), total, workload, subject, &faults)
    return Time(
      total: total, perOperation: total / Double(runs * trial.operations), isRepeatable: trial.isRepeatable)
  }

  /// One pass on counting schedulers, which nobody times.
  private func count(
    _ workload: Workload, _ subject: Subject, _ n: Int, _ faults: inout [String]
  ) -> [Count: Double] {
    let resident = HeapMeter.resetPeak()
    let stage = Stage(n: n, isCounted: true)
    let trial = subject.prepare(stage)
    let before = HeapMeter.bytesInUse
    let start = DispatchTime.now().uptimeNanoseconds
    trial.run()
    let total = Double(DispatchTime.now().uptimeNanoseconds - start)
    let after = HeapMeter.bytesInUse
    trial.settle()
    check(stage, trial, runs: 1, total, workload, subject, &faults)
    var counts = stage.tally?.counts ?? [:]
    if HeapMeter.isAvailable {
      counts[.heapBytesGrown] = Double(after - before)
      counts[.heapBytesEach] = stage.heapMark.map {
        (Double(HeapMeter.bytesInUse - $0) / Double(n)).rounded()
      }
      counts[.peakKibibytes] = Double(max(0, HeapMeter.peak - resident))
    }
    counts[.deliveries] = Double(stage.sink.count)
    // What the trial holds is measured above, and goes here.
    withExtendedLifetime(trial) {}
    return counts
  }

  private func check(
    _ stage: Stage, _ trial: Trial, runs: Int, _ total: Double, _ workload: Workload, _ subject: Subject,
    _ faults: inout [String]
  ) {
    guard let expected = trial.deliveries?(runs, total) else { return }
    let count = stage.sink.count
    if !expected.contains(count) {
      faults.append(
        "\(workload.name), \(subject.name), n \(stage.n): \(count) deliveries instead of \(expected)")
    }
  }
}
