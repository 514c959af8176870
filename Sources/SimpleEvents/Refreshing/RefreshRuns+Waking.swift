// The conformances with which the scheduler wakes a loop and the diagnostics of a test describe it.

extension RefreshRuns: PendingObject {}

extension RefreshRuns: Wakeable {
  package var isCallerInsideDelivery: Bool { isCallerInsideRun }

  /// Lets a task accept the turn, without a turn of the scheduler, unless a run is due, in progress or waits
  /// for a retry.
  package func requestTurn(from turns: TurnSource) {
    let startRun = state.withLock { state -> (() -> Void)? in
      state.gate.isIdle ? start(isTurn: true, &state) : nil
    }
    if let startRun { startRun() } else { turns.ask(for: self) }
  }

  package func wake(_ cause: WakeCause) {
    let now = coalescer.instant(of: cause)
    var wake = Coalescer.Wake()
    var isLost = false
    act { state in
      // NB: the coalescer and the gate change in one step, so that no waiter sees a state between the two
      // changes.
      wake = coalescer.accept(cause, at: now)
      if wake.effect == .loses { state.gate.loseDelivery() }
      isLost = wake.effect == .loses && !state.gate.isPending
      return wake.effect == .delivers ? state.gate.deliver() : nil
    }
    coalescer.perform(wake, for: self)
    if isLost { discard() }
    if wake.effect == .delivers { coalescer.finishTurn(for: self, subject) }
  }
}
