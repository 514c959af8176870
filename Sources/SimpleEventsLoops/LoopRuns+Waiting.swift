package import SimpleEvents

// These methods serve hosts, and tasks that wait for a run or for the end of runs.
extension LoopRuns {
  /// The state for which a task waits.
  package enum Goal: Sendable {
    /// Nothing runs and nothing is pending.
    case settled
    /// The loop has ended, or there is no task to make the last run.
    case finished
    /// A run is due for a host, or the task is no longer the host.
    case run(LoopTask)
  }

  /// Makes a task the host; returns false if the loop has ended, or if the task is flagged as a second host.
  ///
  /// The task waits with the goal `run`, begins the run, and waits again.
  package func host(_ task: LoopTask) -> Bool {
    let isAdmitted = change { gate, state, _ -> Bool? in
      switch state.mode {
      case .owned, .hosted: return nil
      case .ended: return false
      case .unhosted:
        state.mode = .hosted(task)
        state.wasHosted = true
        if gate.isRunDue { coalescer.source?.note(.host) }
        return true
      }
    }
    if isAdmitted == nil { subject.misuse.flag(.secondHost(subject)) }
    return isAdmitted == true
  }

  /// Replaces the task of the host, so that a later cancellation of the old task does not affect the new one.
  package func replaceHost(_ old: LoopTask, by task: LoopTask) {
    change { _, state, _ in if state.mode.isHost(old) { state.mode = .hosted(task) } }
  }

  /// Records that a host makes no further run. Pending requests stay for the next host. If the loop is
  /// finishing, it ends instead, because another host may never come.
  package func leave(_ task: LoopTask) {
    change { gate, state, effects in
      guard state.mode.isHost(task) else { return }
      state.mode = .unhosted
      if state.isFinishing { stop(&gate, &state, &effects) }
    }
  }

  /// Whether nothing runs and nothing is pending.
  package var isSettled: Bool { read { isReached(.settled, $0, in: $1.mode, isFinishing: $1.isFinishing) } }

  /// Adds the wait of a task. The task waits until `resume` is called.
  package func add(_ wait: LoopWait, _ resume: @escaping CancellableWait.Resume) {
    let resumption = change { gate, state, _ in
      var isReached = isReached(wait.goal, gate, in: state.mode, isFinishing: state.isFinishing)
      if wait.isHost && !isReached { isReached = !gate.awaitRun() }
      return state.waits.add(wait, resume, unless: isReached)
    }
    resumption?()
  }

  /// Cancels a wait, even if the wait is added later. The task is resumed.
  package func remove(_ wait: LoopWait) {
    let resumption = change { _, state, _ in state.waits.cancel(wait) }
    resumption?()
  }

  /// Whether a task has nothing to wait for. Called under the lock.
  private func isReached(
    _ goal: Goal, _ gate: CoalescingGate, in mode: Mode, isFinishing: Bool
  ) -> Bool {
    switch goal {
    case .settled: !gate.isRunning && !isPending(gate)
    // A further host may never come.
    case .finished: !gate.isRunning && (!isPending(gate) || isFinishing && mode.isUnhosted)
    case .run(let task): !mode.isHost(task) || gate.isRunDue
    }
  }

  /// Ends the waits of tasks that have nothing to wait for. Called under the lock.
  func endReached(_ gate: CoalescingGate, _ state: inout State) -> [CancellableWait.Resumption] {
    guard !state.waits.isEmpty else { return [] }
    let (mode, isFinishing) = (state.mode, state.isFinishing)
    return state.waits.end { isReached($0.goal, gate, in: mode, isFinishing: isFinishing) }
  }
}

/// One wait of a task for the runs of a loop.
package final class LoopWait: WaitListEntry {
  package var state: CancellableWait = .new
  let goal: LoopRuns.Goal

  package init(until goal: LoopRuns.Goal) { self.goal = goal }

  /// Whether the task is a host.
  var isHost: Bool { if case .run = goal { true } else { false } }
}

// SAFETY: the state is used under the lock of the runs only.
extension LoopWait: @unchecked Sendable {}
