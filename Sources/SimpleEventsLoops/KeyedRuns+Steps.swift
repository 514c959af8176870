internal import SimpleEvents

// These methods are the steps of a loop with a window for each key. Each step is one change under the lock.
extension KeyedRuns {
  /// Begins the run of a key that the task of the caller has taken.
  package func begin(_ key: KeyRun, _ task: LoopTask) -> LoopRuns.HostStep {
    let now = keys.source?.now
    return change { gates, state, _ in
      // A request that was made after the cancellation of the host stays for the next host (L7).
      guard !task.isCancelled else { return .leave(nil) }
      var (isDue, isPending) = (false, false)
      gates.changeRun(key) { gate in
        isDue = gate.begin() != nil
        isPending = gate.isPending
      }
      // If nothing is pending now, the run also answers the requests that came after its task was created.
      // Their priorities are then not kept for a later run.
      if !isPending { key.state.priorities.drop() }
      guard isDue else { return .wait }
      state.loop.count += 1
      state.running.insert(state.loop.count)
      if let now { gates.noteRun(key, at: now, run: state.loop.count) }
      return key.state.begin(task, number: state.loop.count, isLast: state.loop.isFinishing)
    }
  }

  /// Ends the run of a key, after the error of its body was reported.
  ///
  /// - Parameter keep: A function that is called under the lock if the work is repeated.
  /// - Returns: Whether the run was cancelled.
  @discardableResult package func end(
    _ key: KeyRun, _ result: RunResult, repeating keep: () -> Void = {}
  ) -> Bool {
    if let source = keys.source {
      let number = read { _, _ in key.state.number }
      source.endDelivery(error: result.error, isCancelled: result.isCancellation, of: key.value, run: number)
    }
    // The clock may be code of a client, so it is read here and not under the lock.
    let now = result.delay == nil ? .distantFuture : keys.turns.now
    return change { gates, state, effects in
      let loop = state.loop
      var end: RunState.End?
      changeRun(key, in: &gates) { gate, runs in
        end = runs.end(
          result, mayRepeat: !loop.hasEnded, isFinishing: loop.isFinishing, NoInput(value: ()), &gate,
          keeping: keep)
      }
      guard let end else { return false }
      state.running.remove(key.state.number)
      if state.running.isEmpty && state.running.capacity > 64 { state.running = [] }
      if let delay = end.delay { gates.wait(key, until: now.advanced(by: delay)) }
      if let error = end.replacedError { effects.errors.append(error) }
      effects.resumptions += end.resumptions
      return end.wasCancelled
    }
  }

  /// Records the end of a task that has taken a key.
  ///
  /// - Parameter step: The last step of the task. If the step is `.leave` with an error, the error ends the
  ///   host. If it is `.leave` without an error, the run has not begun. If the run is still due, the key is
  ///   then first in line again.
  package func leave(_ key: KeyRun, after step: LoopRuns.HostStep = .wait) {
    change { gates, state, effects in
      state.taskCount -= 1
      guard case .leave(let failure) = step else { return }
      if failure == nil { gates.giveBack(key) }
      state.failure = state.failure ?? failure
      // After the loop was stopped, its host only waits for the runs in progress, and does not cancel them
      // after an error (K5). This step therefore cancels them.
      if failure != nil && state.loop.hasEnded {
        effects.cancelled += gates.orderedKeys.compactMap { $0.state.takeTask() }
      }
    }
  }

  /// Drops the pending requests of a key, and its retry (C7). A run in progress continues.
  @usableFromInline package func cancel(_ find: () -> KeyRun?) {
    change { gates, _, effects in
      if let key = find() { drop(key, in: &gates, &effects) { $0.cancel() } }
    }
  }

  /// Drops the pending requests of all keys, and their retries (C7). Runs in progress continue.
  package func cancelAll() {
    change { gates, _, effects in
      for key in gates.orderedKeys { drop(key, in: &gates, &effects) { $0.cancel() } }
    }
  }

  /// Cancels the task of the run of a key.
  @usableFromInline package func cancelRun(_ find: () -> KeyRun?) {
    change { _, _, effects in
      if let task = find()?.state.takeTask() { effects.cancelled.append(task) }
    }
  }

  /// Cancels the tasks of all runs.
  package func cancelRuns() {
    change { gates, _, effects in effects.cancelled = gates.orderedKeys.compactMap { $0.state.takeTask() } }
  }

  /// Closes the window of a key and puts the key in line, if a run of the key is pending (C7).
  @usableFromInline package func flush(_ find: () -> KeyRun?) {
    change { gates, _, _ in
      if let key = find() { flush(key, in: &gates) }
    }
  }

  /// Closes the windows of the pending keys, and puts these keys in line (C7).
  package func flushAll() {
    change { gates, _, _ in
      for key in gates.orderedKeys { flush(key, in: &gates) }
    }
  }

  private func flush(_ key: KeyRun, in gates: inout Gates) {
    let isFlushed = whenBusy != .ignore
    changeRun(key, for: .flush, in: &gates) { gate, runs in
      guard gate.isPending else { return }
      _ = gate.flush(isSignalled: false)
      runs.run?.isFlushed = isFlushed
    }
  }

  /// Ignores later requests, and puts all pending keys in line.
  package func close() {
    change { gates, state, _ in
      guard !state.loop.isClosed else { return }
      state.loop.isFinishing = true
      for key in gates.orderedKeys {
        gates.changeRun(key, for: .flush) { _ = $0.concludeRuns(isPending: false) }
      }
      gates.close()
    }
  }

  /// Drops all pending requests, and lets no further run begin. Runs in progress continue.
  package func stop() { change(stop) }

  private func stop(_ gates: inout Gates, _ state: inout State, _ effects: inout Effects) {
    // The signals that are pending now are not reported as dropped, because the report of the end contains
    // their number.
    gates.leaveSignals()
    for key in gates.orderedKeys { drop(key, in: &gates, &effects) { $0.close() } }
    gates.close()
    markEnded(&state, &effects)
  }

  /// Drops all runs that depend on the scheduler, which is lost (S7). A run with a task is kept.
  func lose(alarm ticket: UInt16?) {
    change { gates, _, effects in
      guard gates.loseTurns(alarm: ticket) else { return }
      for key in gates.orderedKeys {
        drop(key, in: &gates, &effects) { gate in
          _ = gate.lose(alarm: nil)
          if gate.isWaiting { gate.cancel() }
        }
      }
    }
  }

  /// Reports to a monitor the requests that a delivery has dropped because a run of the key is in progress
  /// (L3).
  func dropIgnored(_ key: KeyRun) {
    guard keys.source != nil else { return }
    change { gates, _, effects in
      if gates.gate(key)?.isPending != true { effects.noteUnsent(gates.takeSignals(key)) }
    }
  }

  /// Drops the pending runs of a key.
  private func drop(
    _ key: KeyRun, in gates: inout Gates, _ effects: inout Effects, _ drop: (inout CoalescingGate) -> Void
  ) {
    var isPending = true
    changeRun(key, in: &gates) { gate, runs in
      drop(&gate)
      isPending = gate.isPending
      guard !isPending else { return }
      runs.priorities.drop()
      effects.resumptions += runs.drop()
    }
    if !isPending { effects.noteUnsent(gates.takeSignals(key)) }
  }

  /// Changes the gate and the runs of a key, and counts the failing keys.
  private func changeRun(
    _ key: KeyRun, for cause: CoalescingDelivery.Cause = .turn, in gates: inout Gates,
    _ body: (inout CoalescingGate, inout RunState) -> Void
  ) {
    let wasFailing = key.state.failures > 0
    gates.changeRun(key, for: cause) { gate in
      body(&gate, &key.state)
      // A key without a pending run has no count of failures (K2).
      if !gate.isPending && !gate.isRunning { key.state.failures = 0 }
    }
    gates.failingCount += (key.state.failures > 0 ? 1 : 0) - (wasFailing ? 1 : 0)
  }

  // MARK: Hosts

  /// Makes a task the host; returns false if the loop has ended, or if the task is flagged as a second host.
  func host(_ task: LoopTask, limit: Int) -> Bool {
    if limit < 1 { subject.misuse.flag(.runsBelowOne(limit, of: subject)) }
    return isHosted(
      change { _, state, _ in
        let admission = state.loop.host(task)
        if admission == .admitted { state.limit = max(1, limit) }
        return admission
      })
  }

  /// Waits for a key that is in line, and takes it; returns nil if the host is to leave.
  func nextKey(for host: LoopTask) async -> KeyRun? {
    while await awaitRun(for: host) {
      let (key, leaves) = change { gates, state, _ -> (KeyRun?, Bool) in
        guard state.loop.isHost(host) && state.failure == nil else { return (nil, true) }
        guard state.taskCount < state.limit, let key = gates.takeReady() else { return (nil, false) }
        state.taskCount += 1
        return (key, false)
      }
      if leaves || key != nil { return key }
    }
    return nil
  }

  var hasFailed: Bool { read { $1.failure != nil } }

  /// Records that a host makes no further run; returns the error that has ended the host. See
  /// ``LoopState/leave(_:)``.
  func leave(_ host: LoopTask) -> (any Error)? {
    change { gates, state, effects in
      if state.loop.leave(host) { stop(&gates, &state, &effects) }
      return state.failure.take()
    }
  }

  // MARK: Requests

  /// Accepts a request, from any thread.
  @usableFromInline package func request(_ find: () -> KeyRun) { accept(find) }

  /// Requests a run of a key, and lets a task wait for its answer, in one step.
  func request(_ wait: AnswerWait, _ resume: @escaping CancellableWait.Resume, _ find: () -> KeyRun) {
    let joinsRun = whenBusy == .ignore
    accept(find) { key, state, effects in
      key.state.needsRun(
        wait, resume, isClosed: state.loop.isClosed, joinsRun: joinsRun, &effects.resumptions)
    } noting: { key, gates, isAccepted, effects in
      // A key without a gate has no run in progress and no run to come.
      let gate = gates.gate(key)
      key.state.add(
        wait, resume, isRunPending: isAccepted || gate?.isPending == true, isClosed: gate?.isClosed ?? true,
        &effects.resumptions)
    }
  }

  /// Cancels the wait of a request, even if the wait is added after this call. The request stays.
  func cancel(_ wait: AnswerWait, _ find: () -> KeyRun?) {
    change { _, _, effects in
      let resumption = find().map { $0.state.answers.cancel(wait) } ?? wait.state.end(.cancelled)
      effects.resumptions.add(resumption)
    }
  }
}
