internal import SimpleEvents

/// The task that makes one run of an owned loop, or the runs of one host until one of them is cancelled.
///
/// The object exists before its task. The task may begin and end before the thread that created the task
/// stores it here.
package final class LoopTask: Sendable {
  /// The task, and whether `cancel()` was called. The task is cancelled, and released, after the lock is
  /// released.
  private let state: Guarded<(task: (any CancellableRun)?, isCancelled: Bool)> = Guarded((nil, false))

  package init() {}

  /// Stores the task, and cancels it if `cancel()` was already called.
  package func store(_ task: any CancellableRun) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels the task, even if the task is stored after this call.
  package func cancel() {
    let task = state.withLock { state -> (any CancellableRun)? in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}

/// A task that can be cancelled.
package protocol CancellableRun: Sendable {
  func cancel()
}

extension Task: CancellableRun {}
