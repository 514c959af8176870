import Dispatch

/// A serial executor on a queue that implements `checkIsolated()` only.
///
/// The default implementation of `isIsolatingCurrentContext()` returns nil.
final class CheckingExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
