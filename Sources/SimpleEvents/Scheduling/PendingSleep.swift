/// One sleep of a task: it ends once, by its deadline, by cancellation, or by the loss of its scheduler (S7).
///
/// It knows nothing of tasks, so that the interleavings of its three callers can be explored: the task that begins to
/// sleep, the thread that cancels it, and the scheduler at the deadline.
package final class PendingSleep: Sendable {
  package enum End: Sendable {
    case awake
    case cancelled
  }

  private enum State {
    case new
    /// The sleep is being scheduled or is scheduled; `entry` is nil until `schedule` has returned.
    case asleep(resume: @Sendable (End) -> Void, entry: (any ScheduledWork)?)
    case over
  }

  /// Guards the step from one state to the next. Tasks are resumed, and entries are cancelled, after the lock.
  private let state: Guarded<State> = Guarded(.new)

  package init() {}

  /// Begins the sleep.
  ///
  /// - Parameter resume: Called once, on the thread that ends the sleep; before this call returns if the sleep was
  ///   cancelled before.
  package func begin(
    on scheduler: any EventScheduler, until deadline: EventInstant, tolerance: Duration,
    _ resume: @escaping @Sendable (End) -> Void
  ) {
    let isCancelled = state.withLock { state in
      guard case .new = state else { return true }
      state = .asleep(resume: resume, entry: nil)
      return false
    }
    guard !isCancelled else { return resume(.cancelled) }
    let deadlineWork = SleepDeadline(of: self)
    let entry = scheduler.schedule(at: deadline, tolerance: tolerance) { deadlineWork.run() }
    let isOver = state.withLock { state in
      guard case .asleep = state else { return true }
      state = .asleep(resume: resume, entry: entry)
      return false
    }
    // The sleep was cancelled while it asked the scheduler, or the deadline has passed.
    if isOver { entry.cancel() }
  }

  /// Ends the sleep, and releases its entry, before it returns. Without effect once the sleep is over.
  package func cancel() {
    end(.cancelled)
  }

  fileprivate func end(_ end: End) {
    guard case .asleep(let resume, let entry) = state.exchange(.over) else { return }
    if end == .cancelled { entry?.cancel() }
    resume(end)
  }
}

/// The deadline of a sleep as work of a scheduler. It ends the sleep by running, or by being released without (S7).
///
/// It keeps the sleep, which an optimized task does not.
private final class SleepDeadline: Sendable {
  private let sleep: PendingSleep

  init(of sleep: PendingSleep) { self.sleep = sleep }

  deinit { sleep.end(.cancelled) }

  func run() { sleep.end(.awake) }
}
