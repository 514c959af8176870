extension TestScheduler {
  /// How a run treats external jobs: jobs that threads other than the driving one enqueue during the run.
  public enum ExternalJobs: Sendable, Hashable {
    /// External jobs are set aside during the run, because the order of the run would otherwise depend on
    /// other threads.
    ///
    /// The jobs become due when the run has ended. A body that depends on such a job is stuck. If the body
    /// ends without the job, the job is flagged in a debug build (S4).
    case flagged
    /// Before the run moves time, and before it counts as stuck, it waits for external jobs.
    ///
    /// The wait ends when no job has arrived during the given real time. The run is as
    /// deterministic as the other threads are.
    case awaited(upTo: Duration)
  }
}
