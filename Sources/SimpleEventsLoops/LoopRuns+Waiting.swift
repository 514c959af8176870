package import SimpleEvents

// These methods serve hosts, and tasks that wait for a run or for the end of runs.
extension LoopRuns {
  /// Makes a task the host; returns false if the loop has ended, or if the task is flagged as a second host.
  ///
  /// The task waits with the goal `run`, begins the run, and waits again.
  package func host(_ task: LoopTask) -> Bool {
    isHosted(
      change { gate, state, _ in
        let admission = state.loop.host(task)
        if admission == .admitted && gate.isRunDue { coalescer.source?.note(.host) }
        return admission
      })
  }

  /// Replaces the task of the host, so that a later cancellation of the old task does not affect the new one.
  package func replaceHost(_ old: LoopTask, by task: LoopTask) {
    change { _, state, _ in state.loop.replaceHost(old, by: task) }
  }

  /// Records that a host makes no further run; see ``LoopState/leave(_:)``.
  package func leave(_ task: LoopTask) {
    change { gate, state, effects in
      if state.loop.leave(task) { stop(&gate, &state, &effects) }
    }
  }

  /// Whether nothing runs and nothing is pending.
  package var isSettled: Bool { read { gate, _ in !gate.isRunning && !isPending(gate) } }

  /// Adds the wait of a task. The task waits until `resume` is called.
  package func add(_ wait: LoopWait, _ resume: @escaping CancellableWait.Resume) {
    change { gate, state, effects in
      // The host is resumed for the next run, even if it was resumed before and found no run.
      let isDue = wait.isHost && !gate.awaitRun()
      effects.resumptions.add(state.loop.waits.add(wait, resume, unless: isDue))
    }
  }

  /// Cancels a wait, even if the wait is added after this call. The task is resumed.
  package func remove(_ wait: LoopWait) {
    change { _, state, effects in effects.resumptions.add(state.loop.waits.cancel(wait)) }
  }
}
