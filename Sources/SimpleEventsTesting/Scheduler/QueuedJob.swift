internal import CTaskHook
internal import SimpleEvents

/// A job of a task that is queued in a test scheduler.
struct QueuedJob {
  /// The executor on which a job is to run.
  enum Target {
    /// The scheduler, because the job's task prefers it.
    case scheduler
    /// An actor whose executor is the scheduler.
    case actor
    /// The global pool. The hook of the driving thread caught the job.
    case pool
  }

  let job: UnownedJob
  let sequence: UInt64
  let target: Target
}

extension Fifo<QueuedJob> {
  /// Sends the caught jobs to the global pool.
  func enqueueCaughtJobsGlobally() {
    for entry in all where entry.target == .pool {
      // SAFETY: an unowned job is the runtime's pointer to the job. The job was caught, and has not run.
      unsafe task_hook_enqueue_global(unsafeBitCast(entry.job, to: UnsafeMutableRawPointer.self))
    }
  }
}
