import Dispatch
import SimpleEvents

/// A serial executor that runs the newest of its jobs first.
final class UnorderedExecutor: SerialExecutor {
  private let queue: DispatchQueue = DispatchQueue(label: "unordered")
  /// Guards the queued jobs.
  private let jobs: Guarded<[UnownedJob]> = Guarded([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    queue.async { [self] in
      jobs.withLock { $0.removeLast() }.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
