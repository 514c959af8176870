internal import Dispatch
internal import TestSupport

/// Measures workloads: first a warm-up, then repetitions in which the subjects take turns.
struct Runner {
  /// The number of measurements of each subject at each size, not counting the warm-up.
  let repetitions: Int
  /// The nanoseconds that one measurement of a repeatable trial should take.
  let span: Double
  /// The number of rounds in one repetition of an alternating workload.
  let rounds: Int
  /// Whether to use the quick sizes.
  let isQuick: Bool

  static let full: Runner = Runner(repetitions: 15, span: 10_000_000, rounds: 3000, isQuick: false)
  static let quick: Runner = Runner(repetitions: 2, span: 0, rounds: 10, isQuick: true)

  func measure(_ workload: Workload) -> WorkloadResult {
    var measurements: [Measurement] = []
    var faults: [String] = []
    for size in isQuick ? [workload.quickSize] : workload.sizes {
      let sizes = workload.subjects.map { max(1, size / $0.divisor) }
      let counts = zip(workload.subjects, sizes).map { count(workload, $0, $1, &faults) }
      let samples =
        workload.alternates ? alternation(workload, sizes, &faults) : series(workload, sizes, &faults)
      for index in workload.subjects.indices {
        measurements.append(
          Measurement(
            workload: workload.name, subject: workload.subjects[index].name, n: sizes[index],
            samples: samples[index].times, processorSamples: samples[index].processors, counts: counts[index])
        )
      }
    }
    return WorkloadResult(workload: workload, measurements: measurements, faults: faults)
  }

  /// Returns the number of repetitions of a workload. A quick run has one number for all workloads.
  func repetitions(of workload: Workload) -> Int {
    isQuick ? repetitions : workload.repetitions ?? repetitions
  }

  /// Adds a fault if the callback of a trial was called too often or too rarely.
  func check(
    _ fixture: Fixture, _ trial: Trial, runs: Int, _ total: Double, _ workload: Workload, _ subject: Subject,
    _ faults: inout [String]
  ) {
    guard let expected = trial.deliveries?(runs, total) else { return }
    let count = fixture.sink.count
    if !expected.contains(count) {
      faults.append(
        "\(workload.name), \(subject.name), n \(fixture.n): \(count) deliveries instead of \(expected)")
    }
  }

  /// Makes one run on counting schedulers, without measuring its time.
  private func count(
    _ workload: Workload, _ subject: Subject, _ n: Int, _ faults: inout [String]
  ) -> [Count: Double] {
    let resident = HeapMeter.resetPeak()
    let fixture = Fixture(n: n, isCounted: true)
    let trial = subject.prepare(fixture)
    let before = HeapMeter.settledBytesInUse
    let start = DispatchTime.now().uptimeNanoseconds
    trial.run()
    let total = Double(DispatchTime.now().uptimeNanoseconds - start)
    let after = HeapMeter.bytesInUse
    trial.complete()
    trial.settle()
    check(fixture, trial, runs: 1, total, workload, subject, &faults)
    var counts = fixture.tally?.value.reported ?? [:]
    if HeapMeter.isAvailable {
      counts[.heapBytesGrown] = Double(after - before)
      counts[.heapBytesEach] = fixture.heapMark.map {
        (Double(HeapMeter.bytesInUse - $0) / Double(n)).rounded()
      }
      counts[.peakKibibytes] = Double(max(0, HeapMeter.peak - resident))
    }
    counts[.deliveries] = Double(fixture.sink.count)
    // The trial holds the objects whose bytes are measured above.
    withExtendedLifetime(trial) {}
    return counts
  }
}
