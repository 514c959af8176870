internal import SimpleEvents

// These methods are the steps of a loop with a window for each key. Each step is one change under the lock.
extension KeyedRuns {
  /// Begins the run of a key that the task of the caller has taken.
  package func begin(_ key: Key, _ task: LoopTask) -> LoopRuns.HostStep {
    let now = keys.source?.now
    return change { gates, state, effects in
      let (number, isLast) = (state.count + 1, state.isFinishing)
      var step = LoopRuns.HostStep.wait
      gates.changeRun(key) { gate, run in
        guard let run, gate.begin() != nil else { return }
        run.begin(LoopRuns.Run(task: task, isLast: isLast), number: number)
        step = .run(number: number, failures: run.failures, isLast: isLast)
      }
      guard case .run = step else { return step }
      state.count = number
      state.running.insert(number)
      if let now { gates.noteRun(key, at: now, run: number) }
      return step
    }
  }

  /// Ends the run of a key, after the error of its body was reported.
  ///
  /// - Parameters: Those of ``LoopRuns/end(_:keepsWork:dropped:error:isCancelled:keeping:)``.
  /// - Returns: Whether the run was cancelled.
  @discardableResult package func end(
    _ key: Key, _ outcome: LoopRuns.Outcome, error: (any Error)? = nil, isCancellation: Bool = false,
    repeating keep: () -> Void = {}
  ) -> Bool {
    if let source = keys.source, let number = read({ gates, _ in gates.payload(key)??.number }) {
      source.finish(error: error, isCancelled: isCancellation, of: key, run: number)
    }
    // The clock may be a client's code, which is not called under a lock.
    let now = if case .failed = outcome { keys.turns.now } else { EventInstant.distantFuture }
    return change { gates, state, effects in
      guard let run = gates.payload(key) ?? nil, let old = run.run.take() else { return false }
      state.running.remove(run.number)
      if state.running.isEmpty && state.running.capacity > 64 { state.running = [] }
      var (end, attempt) = (CoalescingGate.RunEnd.done, EventInstant?.none)
      if case .failed(let delay?) = outcome, !state.mode.hasEnded && !old.isCancelled && !old.isLast {
        end = state.isFinishing ? .repeats : .waits
        if !state.isFinishing { attempt = now.advanced(by: delay) }
      }
      let isDone = if case .done = end { true } else { false }
      let isCancelled = if case .cancelled = outcome { true } else { old.isCancelled }
      let isSuccess = if case .succeeded = outcome { true } else { false }
      if !isDone {
        keep()
        run.priorities.putBack()
      }
      var isPending = true
      gates.changeRun(key) { gate, _ in
        _ = gate.end(end, isFlushed: old.isFlushed)
        isPending = gate.isPending
        if isDone && gate.mayIgnoreSignals {
          if let error = run.latestError { effects.errors.append(error) }
          run.latestError = isSuccess ? nil : error ?? CancellationError()
        }
      }
      if let attempt { gates.wait(key, until: attempt) }
      // A cancelled run is not a failure. A key without a pending run has no count of failures (K2).
      if case .cancelled = outcome, isPending {
      } else {
        setFailures(isDone ? 0 : run.failures + 1, of: run, in: &gates)
      }
      // The requests of a cancelled run are answered by the run that replaces it.
      if isDone && !(isCancelled && !isSuccess && isPending) {
        effects.resumptions += run.endAnswered(isSuccess ? nil : error ?? CancellationError())
      }
      return old.isCancelled
    }
  }

  /// Records the end of a task that has taken a key.
  ///
  /// - Parameter step: The last step of the task. If the step is `.leave` with an error, the error ends the
  ///   host. If it is `.leave` without an error, the run has not begun, and the key is first in line again.
  package func leave(_ key: Key, after step: LoopRuns.HostStep = .wait) {
    change { gates, state, _ in
      state.taskCount -= 1
      guard case .leave(let failure) = step else { return }
      if failure == nil { gates.giveBack(key) }
      state.failure = state.failure ?? failure
    }
  }

  /// Drops the pending requests of a key, and its retry (C7). A run in progress continues.
  package func cancel(_ key: Key) {
    change { gates, _, effects in drop(key, in: &gates, &effects) { $0.cancel() } }
  }

  /// Cancels the task of the run of a key.
  package func cancelRun(_ key: Key) {
    change { gates, _, effects in
      if let task = gates.payload(key)??.takeTask() { effects.cancelled.append(task) }
    }
  }

  /// Cancels the tasks of all runs.
  func cancelRuns() {
    change { gates, _, effects in
      effects.keys = gates.orderedKeys
      effects.cancelled = effects.keys.compactMap { gates.payload($0)??.takeTask() }
    }
  }

  /// Closes the window of a key, and puts the key in line if a run of it is pending (C7).
  package func flush(_ key: Key) {
    let isFlushed = whenBusy != .ignore
    change { gates, _, effects in
      gates.changeRun(key, for: .flush) { gate, run in
        guard gate.isPending else { return }
        _ = gate.flush(isSignalled: false)
        run?.run?.isFlushed = isFlushed
      }
    }
  }

  /// Ignores later requests, and puts all pending keys in line.
  package func finish() {
    change { gates, state, effects in
      guard !state.mode.hasEnded && !state.isFinishing else { return }
      state.isFinishing = true
      effects.keys = gates.orderedKeys
      for key in effects.keys {
        gates.changeRun(key, for: .flush) { gate, _ in _ = gate.finish(isPending: false) }
      }
      gates.close()
    }
  }

  /// Drops all pending requests, and lets no further run begin. Runs in progress continue.
  package func stop() { change { gates, state, effects in stop(&gates, &state, &effects) } }

  private func stop(_ gates: inout Gates, _ state: inout State, _ effects: inout Effects) {
    effects.keys = gates.orderedKeys
    // The report of the end contains the number of signals that are pending at the end.
    gates.leaveSignals()
    for key in effects.keys { drop(key, in: &gates, &effects) { $0.close() } }
    gates.close()
    markEnded(&state, &effects)
  }

  /// Drops all runs that depend on the scheduler, which is lost (S7). A run with a task is kept.
  func lose(alarm ticket: UInt16?) {
    change { gates, _, effects in
      guard gates.loseTurns(alarm: ticket) else { return }
      effects.keys = gates.orderedKeys
      for key in effects.keys {
        drop(key, in: &gates, &effects) { gate in
          _ = gate.lose(alarm: nil)
          if gate.isWaiting { gate.cancel() }
        }
      }
    }
  }

  /// Reports to a monitor the requests that a delivery has dropped because a run of the key is in progress
  /// (L3).
  func dropIgnored(_ key: Key) {
    guard keys.source != nil else { return }
    change { gates, _, effects in
      if gates.read(key, { $0.isPending }) != true { effects.unsent += gates.takeSignals(key) }
    }
  }

  /// Drops the pending runs of a key.
  private func drop(
    _ key: Key, in gates: inout Gates, _ effects: inout Effects, _ drop: (inout CoalescingGate) -> Void
  ) {
    var (isPending, isQuiet) = (true, KeyRun?.none)
    gates.changeRun(key) { gate, run in
      drop(&gate)
      isPending = gate.isPending
      guard !isPending, let run else { return }
      run.run?.isFlushed = false
      isQuiet = run.run == nil ? run : nil
      run.priorities.drop()
      effects.resumptions += run.endDropped()
    }
    if let isQuiet { setFailures(0, of: isQuiet, in: &gates) }
    if !isPending { effects.unsent += gates.takeSignals(key) }
  }

  /// Sets the number of failures in a row of a key that were retried.
  private func setFailures(_ count: Int, of run: KeyRun, in gates: inout Gates) {
    gates.failingCount += (count > 0 ? 1 : 0) - (run.failures > 0 ? 1 : 0)
    run.failures = count
  }

  // MARK: Hosts

  /// Makes a task the host; returns false if the loop has ended, or if the task is flagged as a second host.
  func host(_ task: LoopTask, limit: Int) -> Bool {
    if limit < 1 { subject.misuse.flag(.runsBelowOne(limit, of: subject)) }
    let isAdmitted = change { _, state, _ -> Bool? in
      switch state.mode {
      case .owned, .hosted: return nil
      case .ended: return false
      case .unhosted:
        state.mode = .hosted(task)
        (state.limit, state.wasHosted) = (max(1, limit), true)
        return true
      }
    }
    if isAdmitted == nil { subject.misuse.flag(.secondHost(subject)) }
    return isAdmitted == true
  }

  /// Waits for a key that is in line, and takes it; returns nil if the host is to leave.
  func nextKey(for host: LoopTask) async -> Key? {
    while await awaitRun(for: host) {
      let (key, leaves) = change { gates, state, _ -> (Key?, Bool) in
        guard state.mode.isHost(host) && state.failure == nil else { return (nil, true) }
        guard state.taskCount < state.limit, let key = gates.takeReady() else { return (nil, false) }
        state.taskCount += 1
        return (key, false)
      }
      if leaves || key != nil { return key }
    }
    return nil
  }

  var hasFailed: Bool { read { $1.failure != nil } }

  /// Records that a host makes no further run; returns the error that has ended it. Pending requests stay for
  /// the next host. If the loop is finishing, it ends instead: another host may never come.
  func leave(_ host: LoopTask) -> (any Error)? {
    change { gates, state, effects in
      guard state.mode.isHost(host) else { return state.failure.take() }
      state.mode = .unhosted
      if state.isFinishing { stop(&gates, &state, &effects) }
      return state.failure.take()
    }
  }

  /// Records for diagnostics that a loop is released with requests pending and has never had a host (L7).
  func noteIfNeglected() {
    guard isDebugBuild else { return }
    if read({ $1.mode.isUnhosted && !$1.wasHosted && $0.pendingCount > 0 }) {
      PendingLog.noteNeglected(subject)
    }
  }

  // MARK: Requests

  /// Accepts a request, from any thread.
  package func request(_ key: Key) { accept(key) }

  /// Requests a run of a key, and waits for the end of the run that answers the request; see
  /// ``LoopRuns/refresh()``.
  func refresh(_ key: Key) async throws {
    guard !flagsCallInsideRun("refresh(_:)") else {
      request(key)
      throw CancellationError()
    }
    let wait = AnswerWait()
    let end = await CancellableWait.suspend(for: awaited(in: "refresh(_:)")) {
      request(key, wait, $0)
    } cancel: {
      cancel(key, wait)
    }
    if end == .cancelled { throw CancellationError() }
    if let error = wait.error { throw error }
  }

  /// Requests a run of a key, and lets a task wait for its answer, in one step.
  private func request(_ key: Key, _ wait: AnswerWait, _ resume: @escaping CancellableWait.Resume) {
    let ignores = whenBusy == .ignore
    func add(_ run: KeyRun?, isRunPending: Bool, isClosed: Bool, _ effects: inout Effects) {
      // A key without a state has no run in progress and no run to come.
      let resumption = (run ?? KeyRun()).add(wait, resume, isRunPending: isRunPending, isClosed: isClosed)
      if let resumption { effects.resumptions.append(resumption) }
    }
    accept(key) { gates, state, effects in
      let isDropped = wait.state.isOver || state.mode.hasEnded || state.isFinishing
      let run = gates.payload(key) ?? nil
      // One run answers all requests that come during it (L3).
      guard isDropped || ignores && run?.run != nil else { return true }
      add(isDropped ? nil : run, isRunPending: false, isClosed: true, &effects)
      return false
    } noting: { gates, isAccepted, effects in
      let (isPending, isClosed) = gates.read(key) { ($0.isPending, $0.isClosed) } ?? (false, true)
      add(
        gates.payload(key) ?? nil, isRunPending: isAccepted || isPending, isClosed: isClosed, &effects)
    }
  }

  /// Cancels the wait of a request, even if the wait is added later. The request stays.
  private func cancel(_ key: Key, _ wait: AnswerWait) {
    change { gates, _, effects in
      let run = gates.payload(key) ?? nil
      let resumption = run.map { $0.cancel(wait) } ?? wait.state.end(.cancelled)
      if let resumption { effects.resumptions.append(resumption) }
    }
  }
}
