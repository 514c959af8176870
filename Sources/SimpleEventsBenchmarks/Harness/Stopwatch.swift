internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#endif

/// Measures elapsed time, and the processor time that all threads of the process have used.
struct Stopwatch {
  private let processorStart: UInt64 = Self.processorTime
  private let start: UInt64 = DispatchTime.now().uptimeNanoseconds

  /// The nanoseconds since the stopwatch was created.
  var elapsed: Double { Double(DispatchTime.now().uptimeNanoseconds - start) }

  /// The nanoseconds of processor time since the stopwatch was created.
  var processorTime: Double { Double(Self.processorTime - processorStart) }

  /// The number of processors that can run at the same time.
  static let processors: Int = ProcessInfo.processInfo.activeProcessorCount

  private static var processorTime: UInt64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
