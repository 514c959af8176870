/// The priorities of the requests that one owned loop has accepted.
///
/// A run has the highest priority of the requests that it answers (L3). The priority of a request that joins
/// a pending request without the lock is not recorded: reading it would take several times as long as the
/// request.
struct RunPriorities {
  /// The highest priority of the pending requests since the task of a run was created; nil if there is none.
  private var pending: TaskPriority?
  /// The priority of the latest run.
  private var running: TaskPriority?

  mutating func note(_ priority: TaskPriority) { pending = max(pending ?? priority, priority) }

  /// Records that no request is pending any more.
  mutating func drop() { pending = nil }

  /// Takes the priority of the next run.
  mutating func take() -> TaskPriority? {
    running = pending
    pending = nil
    return running
  }

  /// Records that the next run also answers the requests of the latest run.
  mutating func putBack() {
    if let running { note(running) }
  }
}
