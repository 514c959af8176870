extension TestScheduler {
  /// The treatment of external jobs: jobs that threads other than the driving one enqueue during a run.
  public enum ExternalJobs: Sendable, Hashable {
    /// External jobs are set aside, since the order of the run would depend on the other threads.
    ///
    /// They are due when the run is over. A body that depends on one is stuck. A run that ends without one is
    /// flagged in a debug build (S4).
    case flagged
    /// Before time moves, and before it counts as stuck, the run waits until no job has come for this real
    /// time.
    ///
    /// The run is exact only as far as the other threads are.
    case awaited(upTo: Duration)
  }
}
