/// What is counted beside the time. The raw values are the keys in the JSON report.
enum Count: String, CaseIterable {
  /// Calls of the callback.
  case deliveries
  /// Turns asked of the scheduler.
  case turns
  /// Times the scheduler woke up for us: turns that came, and timers that went off.
  case wakeUps = "wake_ups"
  /// Timers armed.
  case timersArmed = "timers_armed"
  /// Readings of the scheduler's clock.
  case clockReads = "clock_reads"
  /// Heap bytes for each object of the workload, after all deliveries.
  ///
  /// Rounded to whole bytes: the meter is inexact by some hundred bytes in all.
  case heapBytesEach = "heap_bytes_each"
  /// Heap bytes that were there after the run and not before it: what a queue has grown by.
  ///
  /// What was allocated and freed again in between does not show: zero does not mean no allocation.
  case heapBytesGrown = "heap_bytes_grown"
  /// How far the resident memory rose at its highest, in kibibytes.
  case peakKibibytes = "peak_rss_kib"
}
