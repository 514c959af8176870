// The tasks that wait for the end of runs.
extension RefreshRuns {
  /// The state that a task waits for.
  package enum Goal: Sendable {
    /// Nothing runs and nothing is pending.
    case settled
    /// The loop has ended, or there is no task to make the last run.
    case finished
  }

  /// Whether nothing runs and nothing is pending.
  package var isSettled: Bool { state.withLock { isReached(.settled, $0) } }

  /// Begins a wait.
  package func begin(_ wait: RefreshWait, _ resume: @escaping CancellableWait.Resume) {
    let resumption = state.withLock { state -> CancellableWait.Resumption? in
      if let resumption = wait.state.begin(resume) { return resumption }
      guard !isReached(wait.goal, state) else { return wait.state.end(.reached) }
      state.waits.append(wait)
      return nil
    }
    resumption?()
  }

  /// Ends a wait, even one that begins later.
  package func cancel(_ wait: RefreshWait) {
    let resumption = state.withLock { state -> CancellableWait.Resumption? in
      guard let resumption = wait.state.end(.cancelled) else { return nil }
      state.waits.removeAll { $0 === wait }
      return resumption
    }
    resumption?()
  }

  /// Ends the waits whose state is reached. Called under the lock.
  func takeReached(_ state: inout State) -> [CancellableWait.Resumption] {
    guard !state.waits.isEmpty else { return [] }
    let resumptions = state.waits.compactMap { wait in
      isReached(wait.goal, state) ? wait.state.end(.reached) : nil
    }
    state.waits.removeAll { $0.state.isOver }
    return resumptions
  }

  private func isReached(_ goal: Goal, _ state: State) -> Bool {
    if state.gate.isSettled(isDeliveryPending: coalescer.isPending) { return true }
    // There may never be a further host.
    guard goal == .finished, state.isUnhosted else { return false }
    return state.gate.isClosed
  }
}

/// One wait of a task for the runs of a loop. The lock of the runs guards its state.
package final class RefreshWait {
  let goal: RefreshRuns.Goal
  var state: CancellableWait = .new

  package init(until goal: RefreshRuns.Goal) { self.goal = goal }
}

// SAFETY: the state is used under the lock of the runs only.
extension RefreshWait: @unchecked Sendable {}
