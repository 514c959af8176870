package import SimpleEvents

// These methods are the steps of a loop. Each step is one change under the lock.
extension LoopRuns {
  /// A run that has begun.
  package struct RunStart: Sendable {
    /// The number of the run, counted within the loop.
    let number: Int
    /// The number of retried failures in a row before this run.
    let failures: Int
    /// The number of the latest failures in a row that were retried without a wait.
    let unwaited: Int
    /// Whether no attempt follows if this run fails.
    let isLast: Bool
  }

  /// The next step of a task that makes runs.
  package enum HostStep: Sendable {
    /// The run has begun.
    case run(RunStart)
    /// No run is due.
    case wait
    /// The task makes no further run, because its run was cancelled. Another task replaces the task.
    case replaceTask
    /// The task makes no further run, and is not replaced.
    ///
    /// - Parameter error: An error that no function of the user has received.
    case leave((any Error)?)
  }

  /// Begins the run that is due, in the task of the caller.
  ///
  /// The run answers all requests that wait only for a turn or a task.
  ///
  /// - Parameter take: A function that takes the input of the run. It is called under the lock if the run
  ///   begins.
  package func begin(_ task: LoopTask, taking take: () -> Void = {}) -> HostStep {
    let now = coalescer.source?.now
    return change { gate, state, effects in
      // A request that was made after the cancellation of the host stays for the next host (L7).
      guard isOwned || state.loop.isHost(task), !task.isCancelled else { return .leave(nil) }
      guard let step = gate.begin() else { return .wait }
      effects.step = step
      // A monitor counts all pending signals for the run, including the signals of a window that is still
      // open.
      if step.delivers || coalescer.isWatched { coalescer.uncover() }
      take()
      gate.leave(input.rest)
      coalescer.source?.begin(at: now, leaving: input.rest.count)
      state.loop.count += 1
      return state.runs.begin(task, number: state.loop.count, isLast: state.loop.isFinishing)
    }
  }

  /// Ends the run in progress, after the error of its body was reported.
  ///
  /// - Parameters:
  ///   - keep: Keeps the input of the run. Called under the lock, if the work is repeated.
  ///   - finish: Discards the elements of the run, or answers their callers. It is called under no lock,
  ///     before this step lets the next run begin. If the property `discards` of the result is true, the
  ///     tasks that wait for the end of runs also wait until this function has returned.
  /// - Returns: Whether the run was cancelled.
  @discardableResult package func end(
    _ result: RunResult, keeping keep: () -> Void = {}, beforeEffects finish: () -> Void = {}
  ) -> Bool {
    var discards = false
    defer { if discards { change { _, state, _ in state.discardCount -= 1 } } }
    coalescer.source?.endDelivery(
      dropped: result.dropped, error: result.error, isCancelled: result.isCancellation)
    return change(beforeEffects: finish) { gate, state, effects in
      let end = state.runs.end(
        result, mayRepeat: !state.loop.hasEnded, isFinishing: state.loop.isFinishing,
        isSignalled: coalescer.isSignalled && !gate.isClosed, input, &gate, keeping: keep)
      guard let end else { return false }
      discards = result.discards && !end.isRepeated
      if discards { state.discardCount += 1 }
      (effects.step, effects.replacedError) = (end.step, end.replacedError)
      effects.resumptions += end.resumptions
      if let delay = end.delay {
        let sleep = PendingSleep()
        (state.retry, state.isRetryEndless) = (sleep, false)
        effects.retry = (sleep, delay)
      }
      if effects.step.delivers {
        coalescer.source?.note(.flush)
        coalescer.uncover()
      }
      return end.wasCancelled
    }
  }

  /// Accepts a turn or an alarm, or the loss of a turn or an alarm.
  package func wake(_ cause: WakeCause) {
    let now = coalescer.instant(of: cause)
    change { gate, _, effects in
      effects.step = coalescer.wake(&gate, cause, at: now)
      if effects.step.delivers || effects.step.loses { coalescer.uncover() }
      if cause.isAlarm && (effects.step.startsRun || effects.step.delivers && gate.isPending) {
        coalescer.source?.note(.deadline)
      }
    }
  }

  /// Drops all pending requests and the retry (C7). A run in progress continues.
  package func cancel() {
    change { drop(&$0, &$1, &$2) { $0.cancel() } }
  }

  /// Cancels the task of the run in progress.
  package func cancelRuns() {
    change { _, state, effects in effects.cancelled = state.runs.takeTask() }
  }

  /// Closes the window, and lets the pending run begin now, or directly after the run in progress. The call
  /// has no effect if nothing is pending (C7).
  package func flush() {
    change { gate, state, effects in
      guard isPending(gate) else { return }
      let isSignalled = coalescer.isSignalled && !gate.isClosed
      if isSignalled || gate.isDeliveryPending || gate.isWaiting { coalescer.source?.note(.flush) }
      input.flush()
      // Signals stay covered: a signal before the run begins is part of the run.
      effects.step = gate.flush(isSignalled: isSignalled)
      state.runs.run?.isFlushed = whenBusy != .ignore
    }
  }

  /// Ignores later requests, and lets the last run begin now.
  ///
  /// - Parameter hasMore: Whether there is a pending request that the coalescer has not received yet.
  package func close(hasMore: Bool = false) {
    change { gate, state, effects in
      guard !state.loop.isClosed else { return }
      let isPending = hasMore || isPending(gate)
      coalescer.source?.note(.flush)
      coalescer.uncover()
      state.loop.isFinishing = true
      effects.step = gate.concludeRuns(isPending: isPending)
    }
  }

  /// Drops all pending requests, and lets no further run begin.
  ///
  /// The method is idempotent. A run in progress continues.
  package func stop() { change(stop) }

  func stop(_ gate: inout CoalescingGate, _ state: inout State, _ effects: inout Effects) {
    drop(&gate, &state, &effects) { $0.close() }
    markEnded(&state, &effects)
  }

  /// Lets the next attempt begin at the end of a wait. Requests that came during the wait are part of that
  /// attempt (L8). If the scheduler can no longer run work, all pending requests are dropped (S7).
  ///
  /// If the wait is already over, the call has no effect.
  func endRetry(_ retry: PendingSleep, _ end: CancellableWait.End) {
    change { gate, state, effects in
      guard state.retry === retry else { return }
      guard end == .reached else { return drop(&gate, &state, &effects) { $0.cancel() } }
      coalescer.source?.note(.retry)
      coalescer.uncover()
      effects.step = gate.endWait()
    }
  }

  /// Drops the pending requests and their elements.
  private func drop(
    _ gate: inout CoalescingGate, _ state: inout State, _ effects: inout Effects,
    _ drop: (inout CoalescingGate) -> Void
  ) {
    coalescer.uncover()
    drop(&gate)
    effects.drops = true
  }

  // MARK: Hosts, and tasks that wait for a run or for the end of runs

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
  package var isSettled: Bool {
    read { gate, state in !gate.isRunning && state.discardCount == 0 && !isPending(gate) }
  }

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

extension LoopRuns: Wakeable {
  package var isCallerInsideDelivery: Bool { isCallerInsideRun }
}
