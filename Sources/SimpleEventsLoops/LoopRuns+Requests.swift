public import SimpleEvents

// These methods accept requests with elements, and requests whose callers wait for the answer (L10).
extension LoopRuns {
  /// Requests a run, and waits for the end of the run that answers the request.
  func refresh() async throws {
    try await refresh(in: "refresh()") {
      request()
    } waiting: {
      request($0, $1)
    } cancel: {
      cancel($0)
    }
  }

  /// Requests a run, and lets a task wait for its answer, in one step.
  package func request(_ wait: AnswerWait, _ resume: @escaping CancellableWait.Resume) {
    let priority = callerPriority
    var effects = Effects()
    _ = coalescer.attempt(for: self) {
      unsafe state.runs.needsRun(
        wait, resume, isClosed: state.loop.isClosed, joinsRun: whenBusy == .ignore, &effects.resumptions)
    } storing: { _ in
      false
    } noting: { gate, step in
      note(step, priority, &effects)
      unsafe state.runs.add(
        wait, resume, isRunPending: step.isAccepted || gate.isPending, isClosed: gate.isClosed,
        &effects.resumptions)
    }
    perform(&effects)
  }

  /// Cancels the wait of a request, even if the wait is added after this call. The request stays.
  package func cancel(_ wait: AnswerWait) {
    change { _, state, effects in effects.resumptions.add(state.runs.answers.cancel(wait)) }
  }
}

extension LoopRuns: SignalReceiver {
  @usableFromInline package func withLock<Result>(_ body: () -> Result) -> Result { coalescer.withLock(body) }

  @usableFromInline package func signal(
    if isAdmitted: () -> Bool, storing store: (_ isAccepted: Bool) -> Bool
  ) -> Bool {
    let priority = callerPriority
    var effects = Effects()
    let isDone = coalescer.attempt(for: self, if: isAdmitted, storing: store) { _, step in
      note(step, priority, &effects)
    }
    perform(&effects)
    return isDone
  }
}

/// The priorities of the requests that one owned loop has accepted.
///
/// A run has the highest priority of the requests that it answers (L3). If `join` of the coalescer accepts a
/// request, the priority of the request is not recorded, because reading the priority would take several
/// times as long as the request.
struct RunPriorities {
  /// The highest priority that is recorded for the next run; nil if no priority is recorded.
  private var pending: TaskPriority?
  /// The priority of the latest run.
  private var running: TaskPriority?

  mutating func note(_ priority: TaskPriority) { pending = max(pending ?? priority, priority) }

  /// Records that no request is pending any more.
  mutating func drop() { pending = nil }

  /// Takes the priority of the next run.
  mutating func take() -> TaskPriority? {
    running = pending
    pending = nil
    return running
  }

  /// Records that the next run also answers the requests of the latest run.
  mutating func putBack() {
    if let running { note(running) }
  }
}
