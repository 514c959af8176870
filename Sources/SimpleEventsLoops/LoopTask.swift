internal import SimpleEvents

/// The task that makes one run of an owned loop, or the runs of one host until one of them is cancelled.
///
/// The object exists before its task. The task may begin and end before the thread that created the task
/// stores it here.
package final class LoopTask: Sendable {
  private enum State {
    case new
    /// The object was cancelled before the task was stored.
    case cancelled
    case made(any CancellableRun)
  }

  /// Guards the task. It is cancelled, and released, after the lock is released.
  private let state: Guarded<State> = Guarded(.new)

  package init() {}

  /// Stores the task, and cancels it if `cancel()` was already called.
  package func store(_ task: any CancellableRun) {
    let isCancelled = state.withLock { state in
      guard case .new = state else { return true }
      state = .made(task)
      return false
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels the task, even if the task is stored after this call.
  package func cancel() {
    let task = state.withLock { state -> (any CancellableRun)? in
      guard case .made(let task) = state else {
        state = .cancelled
        return nil
      }
      return task
    }
    task?.cancel()
  }
}

/// A task that can be cancelled.
package protocol CancellableRun: Sendable {
  func cancel()
}

extension Task: CancellableRun {}
