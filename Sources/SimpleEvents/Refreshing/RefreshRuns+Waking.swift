// The conformances with which the scheduler wakes a loop and the diagnostics of a test describe it.

extension RefreshRuns: PendingObject {}

extension RefreshRuns: Wakeable {
  package var isCallerInsideDelivery: Bool { isCallerInsideRun }

  /// Lets a task accept the turn, without a turn of the scheduler, unless a run is due, in progress or waits
  /// for a retry. Without a host, the turn stays for the next one.
  package func requestTurn(from turns: TurnSource) {
    let (needsTurn, startRun) = state.withLock { state -> (Bool, (() -> Void)?) in
      guard state.gate.isIdle || state.isUnhosted else { return (true, nil) }
      return (false, start(isTurn: true, &state))
    }
    if needsTurn { turns.ask(for: self) }
    startRun?()
  }

  package func wake(_ cause: WakeCause) {
    let now = coalescer.instant(of: cause)
    var wake = Coalescer.Wake()
    act { state in
      // NB: the coalescer and the gate change in one step, so that no waiter sees a state between the two
      // changes.
      wake = coalescer.accept(cause, at: now)
      return switch wake.effect {
      case .none: nil
      case .delivers: state.gate.deliver()
      case .loses: state.gate.loseDelivery()
      }
    }
    coalescer.perform(wake, for: self)
    if wake.effect == .delivers { coalescer.finishTurn(for: self, subject) }
  }
}
