extension TestScheduler {
  /// The treatment of external jobs: jobs that threads other than the driving one enqueue during a run.
  public enum ExternalJobs: Sendable, Hashable {
    /// External jobs are set aside, because otherwise the order of the run would depend on other threads.
    ///
    /// The jobs are due when the run is over. A body that depends on such a job is stuck. A run that ends
    /// without the job is flagged in a debug build (S4).
    case flagged
    /// Before time moves, and before the run counts as stuck, it waits until no job has come for this real
    /// time.
    ///
    /// The run is exact only as far as the other threads are.
    case awaited(upTo: Duration)
  }
}
