public import SimpleEvents

// These methods accept requests with elements, and requests whose callers wait for the answer (L10).
//
// The first run that begins after a request answers the request. If that run is repeated, a later run answers
// it. The wait therefore stores only the number of the first run. If the run in progress answers a request,
// the wait stores the number of the run in progress.
extension LoopRuns {
  /// Requests a run, and waits for the end of the run that answers the request.
  ///
  /// - Throws: The error of the run, or a `CancellationError` if the request was dropped or the caller was
  ///   cancelled.
  func refresh() async throws {
    guard !flagsCallInsideRun("refresh()") else {
      request()
      throw CancellationError()
    }
    let wait = AnswerWait()
    let end = await CancellableWait.suspend(for: awaited(in: "refresh()")) {
      request(wait, $0)
    } cancel: {
      cancel(wait)
    }
    if end == .cancelled { throw CancellationError() }
    if let error = wait.error { throw error }
  }

  /// Requests a run, and lets a task wait for its answer, in one step.
  package func request(_ wait: AnswerWait, _ resume: @escaping CancellableWait.Resume) {
    let priority = callerPriority
    var effects = Effects()
    _ = coalescer.attempt(for: self) {
      unsafe needsRun(wait, resume, &state, &effects)
    } storing: { _ in
      false
    } noting: { gate, step in
      note(step, priority, &effects)
      unsafe add(wait, resume, gate, step, &state, &effects)
    }
    perform(&effects)
  }

  /// Cancels the wait of a request, even if the wait is added later. The request stays.
  package func cancel(_ wait: AnswerWait) {
    let resumption = change { _, state, _ in state.answers.cancel(wait) }
    resumption?()
  }

  /// Whether a request needs a run to come. Otherwise the request is dropped, or the run in progress answers
  /// it. Called under the lock.
  private func needsRun(
    _ wait: AnswerWait, _ resume: @escaping CancellableWait.Resume, _ state: inout State,
    _ effects: inout Effects
  ) -> Bool {
    let isDropped = wait.state.isOver || state.mode.hasEnded || state.isFinishing
    // One run answers all requests that come during it (L3).
    guard isDropped || whenBusy == .ignore && state.run != nil else { return true }
    wait.number = state.count
    if isDropped { wait.error = CancellationError() }
    effects.resume(state.answers.add(wait, resume, unless: isDropped))
    return false
  }

  /// Adds the wait of a request that the gate has received. Called under the lock.
  private func add(
    _ wait: AnswerWait, _ resume: @escaping CancellableWait.Resume, _ gate: CoalescingGate,
    _ step: CoalescingGate.Step, _ state: inout State, _ effects: inout Effects
  ) {
    let isRunPending = step.isAccepted || gate.isPending
    wait.number = isRunPending ? state.count + 1 : state.count
    // If a leading-only policy ignores a request, the run of the window answers it. That run may be over.
    let isAnswered = !isRunPending && !gate.isRunning
    if isAnswered { wait.error = gate.isClosed ? CancellationError() : state.latestError }
    effects.resume(state.answers.add(wait, resume, unless: isAnswered))
  }

  /// Ends the waits of the requests that a run has answered. Called under the lock, after a run that is not
  /// repeated.
  ///
  /// - Parameters:
  ///   - error: The error of the run; nil if it has succeeded.
  ///   - isCancelled: Whether the run was cancelled.
  func endAnswered(
    _ error: (any Error)?, isCancelled: Bool, _ gate: CoalescingGate, _ state: inout State,
    _ effects: inout Effects
  ) {
    // The requests of a cancelled run are answered by the run that replaces it. The elements of the cancelled
    // run are not part of that run.
    if error != nil && isCancelled && gate.isPending && !input.hasElements { return }
    if gate.mayIgnoreSignals {
      effects.replacedError = state.latestError
      state.latestError = error
    }
    effects.resumptions += endWaits(for: 0...state.count, with: error, in: &state)
  }

  /// Ends the waits of the requests that no run will answer. Called under the lock.
  func endDropped(_ gate: CoalescingGate, _ state: inout State) -> [CancellableWait.Resumption] {
    // A run in progress answers its requests.
    endWaits(for: (gate.isRunning ? state.count + 1 : 0)...Int.max, with: CancellationError(), in: &state)
  }

  private func endWaits(
    for numbers: ClosedRange<Int>, with error: (any Error)?, in state: inout State
  ) -> [CancellableWait.Resumption] {
    state.answers.end { wait in
      guard numbers.contains(wait.number) else { return false }
      wait.error = error
      return true
    }
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

/// A request whose caller waits for the answer.
package final class AnswerWait: WaitListEntry {
  package var state: CancellableWait = .new
  /// The number of the first run that answers the request.
  var number: Int = .max
  /// The reason why the request has no answer; nil if the run has succeeded. It is read after the wait has
  /// ended.
  package var error: (any Error)?

  package init() {}
}

// SAFETY: the properties are used under the lock of the runs, and the error is read after the wait has ended.
extension AnswerWait: @unchecked Sendable {}
