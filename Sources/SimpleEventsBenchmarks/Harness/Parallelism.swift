/// The number of threads that run the operations of a workload at the same time.
enum Parallelism {
  case threads(Int)
  /// As many threads as the size of the workload.
  case size

  /// Returns the number of threads at a size.
  func threads(at size: Int) -> Int {
    switch self {
    case .threads(let count): count
    case .size: size
    }
  }

  /// Returns the number of processors that a subject must use at a size, so that its threads count as running
  /// in parallel; nil for one thread.
  func leastProcessors(at size: Int) -> Double? {
    let threads = threads(at: size)
    return threads > 1 ? 0.85 * Double(min(threads, Stopwatch.processors)) : nil
  }
}
