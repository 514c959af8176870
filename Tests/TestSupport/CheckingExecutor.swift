package import Dispatch

/// A serial executor on a queue that implements only `checkIsolated()`.
///
/// The default implementation of `isIsolatingCurrentContext()` returns nil.
package final class CheckingExecutor: SerialExecutor {
  private let queue: DispatchQueue

  package init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
