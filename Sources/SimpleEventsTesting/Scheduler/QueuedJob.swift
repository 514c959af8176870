internal import CTaskHook
internal import SimpleEvents

/// The job of a task, which a test scheduler keeps until its turn.
struct QueuedJob {
  /// The destination of a job.
  enum Target {
    /// The scheduler, which the job's task prefers.
    case scheduler
    /// An actor on the scheduler.
    case actor
    /// The global pool. The driving thread caught it.
    case pool
  }

  let job: UnownedJob
  let sequence: UInt64
  let target: Target
}

extension Fifo<QueuedJob> {
  /// Passes jobs to the global pool for which they were bound.
  func enqueueCaughtJobsGlobally() {
    for entry in all where entry.target == .pool {
      // SAFETY: an unowned job is the runtime's pointer to it, which was caught, and has not been run.
      unsafe task_hook_enqueue_global(unsafeBitCast(entry.job, to: UnsafeMutableRawPointer.self))
    }
  }
}
