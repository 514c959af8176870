/// One sleep of a task. The sleep ends at its deadline, by cancellation, or when the scheduler can no longer
/// run work (S7).
package final class PendingSleep: Sendable {
  private struct State {
    var wait: CancellableWait = .new
    /// The scheduled deadline; nil until `schedule` has returned.
    var entry: (any ScheduledWork)?
  }

  /// Guards the wait and its entry. Tasks are resumed, and entries are cancelled, after the lock is released.
  private let state: Guarded<State> = Guarded(State())

  package init() {}

  /// Begins the sleep.
  ///
  /// - Parameter resume: Resumes the task. It is called on the thread that ends the sleep. If the sleep was
  ///   already cancelled, `resume` is called before this method returns.
  package func begin(
    on scheduler: any EventScheduler, until deadline: EventInstant, tolerance: Duration,
    _ resume: @escaping CancellableWait.Resume
  ) {
    if let resumption = state.withLock({ $0.wait.begin(resume) }) { return resumption() }
    let deadlineWork = SleepDeadline(of: self)
    let entry = scheduler.schedule(at: deadline, tolerance: tolerance) { deadlineWork.run() }
    let isOver = state.withLock { state in
      if !state.wait.isOver { state.entry = entry }
      return state.wait.isOver
    }
    // The sleep was cancelled while it was being scheduled, or the deadline has passed.
    if isOver { entry.cancel() }
  }

  /// Ends the sleep, and releases its entry, before this method returns. The method has no effect once the
  /// sleep is over.
  package func cancel() { end(.cancelled) }

  fileprivate func end(_ end: CancellableWait.End) {
    let (resumption, entry) = state.withLock { ($0.wait.end(end), $0.entry.take()) }
    if end == .cancelled { entry?.cancel() }
    resumption?()
  }
}

/// The work that a scheduler runs at the deadline of a sleep.
///
/// The work ends the sleep when it runs, or when it is released without having run (S7).
///
/// It retains the sleep, because an optimised build may release the task's own reference before the sleep
/// ends.
private final class SleepDeadline: Sendable {
  private let sleep: PendingSleep

  init(of sleep: PendingSleep) { self.sleep = sleep }

  deinit { sleep.end(.cancelled) }

  func run() { sleep.end(.reached) }
}
