internal import TestSupport

/// The quantities that are counted. The raw values are the keys in the JSON report.
enum Count: String, CaseIterable {
  /// The calls of the callback.
  case deliveries
  /// The turns that were requested from the scheduler.
  case turns
  /// The turns and timers that the scheduler has run.
  case wakeUps = "wake_ups"
  /// The timers that were armed.
  case timersArmed = "timers_armed"
  /// The readings of the scheduler's clock.
  case clockReads = "clock_reads"
  /// The heap bytes of each object of the workload, after all deliveries.
  ///
  /// The value is rounded to whole bytes, because the meter is inexact.
  case heapBytesEach = "heap_bytes_each"
  /// The growth of the heap over one run, in bytes.
  ///
  /// Memory that is allocated and freed within the run is not included.
  case heapBytesGrown = "heap_bytes_grown"
  /// The growth of the resident memory to its peak, in kibibytes.
  case peakKibibytes = "peak_rss_kib"
}

extension CountingScheduler.Counts {
  /// The counts for a report; empty if all counts are zero.
  var reported: [Count: Double] {
    let all: [Count: Int] = [
      .turns: turns, .wakeUps: wakeUps, .timersArmed: armed, .clockReads: clockReads,
    ]
    return all.values.contains { $0 > 0 } ? all.mapValues(Double.init) : [:]
  }
}
