/// Whether the tasks of a run may be resumed by other threads.
public enum OutsideJobs: Sendable, Hashable {
  /// A job that another thread enqueues during the run is flagged: the order of the run would depend on that thread.
  case forbidden
  /// Before time moves, and before the run counts as stuck, it waits until other threads have been silent for this real time.
  ///
  /// The run is exact only as far as the other threads are.
  case awaited(Duration)
}
