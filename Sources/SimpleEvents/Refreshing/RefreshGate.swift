/// The state machine behind every loop, which decides when runs start, follow one another, are cancelled and
/// retried.
///
/// It has no lock, no task and no closure. Its methods take an occurrence, and return the action that the
/// caller performs.
///
/// A run passes through these phases: a delivery of the policy makes it *due*; a task *begins* it; then it
/// *ends*, and after an error the loop may *wait* for the next attempt. Deliveries before the beginning of a
/// run are part of it, and so are deliveries during a wait (L8). ``RefreshLoop/WhenBusy`` decides the effect
/// of a delivery during a run.
package struct RefreshGate {
  /// The action that the caller performs.
  package enum Action: Equatable {
    /// Let a task begin the due run.
    case start
    /// Cancel the task of the run in progress.
    case cancel
    /// Call ``endWait()`` when the wait for the next attempt is over.
    case wait
    /// Drop the elements of the requests, because no run is pending.
    case discard
  }

  /// The end of a run.
  package enum Outcome: Equatable {
    case succeeded
    /// The body has thrown, and the error was reported.
    ///
    /// - Parameter isRetried: Whether another attempt follows without a request.
    case failed(isRetried: Bool)
    /// The body has thrown after the cancellation of its task.
    case cancelled
    /// The run has not done its work, and the next host does it (L9).
    ///
    /// - Parameter isCancelled: Whether the run was cancelled. Otherwise the retries have ended.
    case returned(isCancelled: Bool)
  }

  enum Phase {
    case idle
    /// A run is due that no task has begun.
    case due
    case running(Run)
    /// The latest run has failed. The next attempt is due at the end of a wait.
    case waiting
  }

  struct Run {
    /// Whether another run follows this one.
    var isNextDue: Bool = false
    /// Whether the run that follows was flushed, so that no later request postpones it (C7).
    var isFlushed: Bool = false
    /// Whether the task of this run is to be cancelled.
    var isCancelled: Bool = false
    /// Whether the loop ends with this run.
    var isLast: Bool
  }

  enum Stage {
    case open
    /// Further requests are ignored. Earlier requests are answered by one run.
    case finishing
    case ended
  }

  private let whenBusy: RefreshLoop.WhenBusy
  var phase: Phase = .idle
  var stage: Stage = .open
  /// The number of failures in a row that were retried.
  package private(set) var failures: Int = 0
  /// Whether a run that was due is part of the next delivery of the policy, which is pending (L3).
  private(set) var isJoined: Bool = false

  package init(whenBusy: RefreshLoop.WhenBusy) { self.whenBusy = whenBusy }

  /// Whether a run has begun and not ended.
  package var isRunning: Bool { if case .running = phase { true } else { false } }

  /// Whether the run in progress is to be cancelled.
  package var isRunCancelled: Bool { if case .running(let run) = phase { run.isCancelled } else { false } }

  /// Whether no attempt follows the run in progress if it fails.
  package var isLastRun: Bool { if case .running(let run) = phase { run.isLast } else { false } }

  /// Whether the work of the run in progress is repeated after this outcome.
  package func isRepeated(after outcome: Outcome) -> Bool {
    guard case .running(let run) = phase, stage != .ended, !run.isCancelled else { return false }
    return switch outcome {
    case .failed(isRetried: true): !run.isLast
    case .returned: true
    case .succeeded, .failed, .cancelled: false
    }
  }

  /// Whether no run can begin before another delivery: nothing is due, running or waiting.
  var isIdle: Bool { if case .idle = phase { true } else { false } }

  /// Whether a run begins without a further delivery.
  package var isPending: Bool {
    switch phase {
    case .idle: false
    case .due, .waiting: true
    case .running(let run): run.isNextDue
    }
  }

  /// Whether requests that were delivered wait for a run.
  package var holdsRequests: Bool { isPending || isJoined }

  /// Whether a run is due that no task has begun.
  var isDue: Bool { if case .due = phase { true } else { false } }

  /// Whether the loop waits for the next attempt after an error.
  package var isWaiting: Bool { if case .waiting = phase { true } else { false } }

  /// Whether no further run begins.
  package var isOver: Bool { stage == .ended }

  /// Whether requests are ignored.
  package var isClosed: Bool { stage != .open }

  /// Whether nothing runs, and no run follows without a further request.
  package func isSettled(isDeliveryPending: Bool) -> Bool { isIdle && (isClosed || !isDeliveryPending) }

  /// Records that the policy delivers.
  package mutating func deliver() -> Action? {
    defer { checkInvariants() }
    guard stage == .open else { return nil }
    isJoined = false
    switch phase {
    case .idle:
      phase = .due
      return .start
    case .due, .waiting:
      return nil
    case .running(var run):
      guard whenBusy != .ignore else { return nil }
      let cancels = whenBusy == .restart && !run.isCancelled
      run.isNextDue = true
      run.isCancelled = run.isCancelled || cancels
      phase = .running(run)
      return cancels ? .cancel : nil
    }
  }

  /// Records that a task is about to run the body; returns false if the run is no longer due.
  package mutating func begin() -> Bool {
    defer { checkInvariants() }
    guard case .due = phase else { return false }
    phase = .running(Run(isLast: stage == .finishing))
    return true
  }

  /// Records that the run in progress ends.
  ///
  /// - Parameters:
  ///   - outcome: The end of the body. The error of a run that was cancelled is not retried.
  ///   - isDeliveryPending: Whether the policy delivers without a further request. That delivery includes the
  ///     next run of `.rerun` (L3), or is part of that run if it was flushed (C7).
  package mutating func end(_ outcome: Outcome, isDeliveryPending: Bool) -> Action? {
    defer { checkInvariants() }
    guard case .running(let run) = phase else { return nil }
    let isRepeated = isRepeated(after: outcome)
    let isRetried = isRepeated && outcome == .failed(isRetried: true)
    switch outcome {
    case .cancelled, .returned(isCancelled: true): break
    case .succeeded, .failed, .returned: failures = isRetried ? failures + 1 : 0
    }
    phase = .idle
    switch stage {
    case .ended:
      return nil
    case .finishing:
      guard isRepeated || run.isNextDue && !run.isLast else {
        stage = .ended
        return nil
      }
      return makeDue()
    case .open:
      if isRetried {
        phase = .waiting
        return .wait
      }
      if isRepeated { return makeDue() }
      guard run.isNextDue || run.isFlushed && isDeliveryPending else { return nil }
      isJoined = whenBusy == .rerun && isDeliveryPending && !run.isFlushed
      return isJoined ? nil : makeDue()
    }
  }

  /// Records that the pending delivery of the policy will not come.
  package mutating func loseDelivery() -> Action? {
    isJoined = false
    return isPending ? nil : .discard
  }

  /// Whether the run that follows the one in progress was flushed. It includes all later requests (C7).
  package var isNextFlushed: Bool { if case .running(let run) = phase { run.isFlushed } else { false } }

  /// Lets the pending run begin now, or directly after the run in progress (C7).
  package mutating func flush() -> Action? {
    guard case .running(var run) = phase else { return endWait() }
    run.isFlushed = whenBusy != .ignore
    phase = .running(run)
    return nil
  }

  /// Ends the wait for the next attempt, if there is one (L8).
  package mutating func endWait() -> Action? {
    defer { checkInvariants() }
    guard case .waiting = phase else { return nil }
    return makeDue()
  }

  /// Drops the run that is due, that follows the run in progress, or that waits for a retry (C7).
  @discardableResult package mutating func cancel() -> Action {
    defer { checkInvariants() }
    isJoined = false
    if case .running(var run) = phase {
      (run.isNextDue, run.isFlushed) = (false, false)
      phase = .running(run)
    } else {
      phase = .idle
      failures = 0
    }
    if stage == .finishing && isIdle { stage = .ended }
    return .discard
  }

  /// Cancels the run in progress, if there is one.
  package mutating func cancelRun() -> Action? {
    defer { checkInvariants() }
    guard case .running(var run) = phase, !run.isCancelled else { return nil }
    run.isCancelled = true
    phase = .running(run)
    return .cancel
  }

  /// Lets the loop end after a last run for all pending requests (L5).
  ///
  /// - Parameter isDeliveryPending: Whether the policy would deliver without a further request.
  package mutating func finish(isDeliveryPending: Bool) -> Action? {
    defer { checkInvariants() }
    guard stage == .open else { return nil }
    stage = .finishing
    isJoined = false
    switch phase {
    case .idle:
      guard !isDeliveryPending else { return makeDue() }
      stage = .ended
      return nil
    case .due:
      return nil
    case .waiting:
      return makeDue()
    case .running(var run):
      run.isNextDue = run.isNextDue || isDeliveryPending
      phase = .running(run)
      return nil
    }
  }

  /// Drops all pending requests. No further run begins.
  package mutating func stop() {
    defer { checkInvariants() }
    cancel()
    stage = .ended
  }

  private mutating func makeDue() -> Action {
    phase = .due
    return .start
  }
}
