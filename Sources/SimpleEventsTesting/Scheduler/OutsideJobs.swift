/// Whether the tasks of a run may be resumed by other threads.
public enum OutsideJobs: Sendable, Hashable {
  /// A job that another thread enqueues during the run is set aside, since the order of the run would depend on that thread.
  ///
  /// It is due when the run is over. A body that depends on it is stuck. A run that ends without it is flagged in a debug
  /// build (S4).
  case forbidden
  /// Before time moves, and before the run counts as stuck, it waits until other threads have been silent for this real time.
  ///
  /// The run is exact only as far as the other threads are.
  case awaited(Duration)
}
