// For an owner that delivers the newest of several payloads. The payload is behind the lock of the gate: together they take
// one lock for each signal, and a delivery that starts takes the payload of the last signal that it covers (C2).
extension Coalescer {
  /// Takes in a signal with a payload, from any thread.
  ///
  /// - Parameters:
  ///   - owner: The object that delivers.
  ///   - store: Stores the payload. Called under the lock, and not at all if the policy ignores the signal.
  package borrowing func signal(for owner: some Wakeable, storing store: () -> Void) {
    let isJoined =
      joinsBlindly
      && state.withLock { state in
        // With a delivery pending, no step has to be performed.
        guard state.gate.isPending, state.gate.signal(at: nil) != nil else { return false }
        store()
        return true
      }
    if !isJoined { signalAlone(for: owner, store) }
  }

  @inline(__always) private borrowing func signalAlone(for owner: any Wakeable, _ store: () -> Void) {
    let now = turns.now
    let step = state.withLock { state -> CoalescingGate.Step? in
      let step = state.gate.signal(at: now)
      if state.gate.isPending { store() }
      return step
    }
    if let step, !step.isEmpty { perform(step, for: owner) }
  }

  /// Takes in a turn or an alarm; returns whether the owner delivers now.
  ///
  /// - Parameters:
  ///   - cause: The turn or the alarm.
  ///   - owner: The object that delivers.
  ///   - take: Takes the payload. Called under the lock, if the owner delivers now.
  package borrowing func wake(_ cause: WakeCause, for owner: some Wakeable, taking take: () -> Void) -> Bool {
    guard case .turn = cause else { return wake(cause, for: owner) }
    return state.withLock { state in
      guard state.gate.deliveryStarted() else { return false }
      take()
      return true
    }
  }

  /// Closes the window and asks for a last delivery; returns whether the owner delivers now.
  ///
  /// The owner delivers at once on the scheduler, unless a delivery is in progress, and elsewhere on the next turn.
  ///
  /// - Parameters:
  ///   - owner: The object that delivers.
  ///   - store: Stores the end, and takes the payload where the owner delivers now. Called under the lock.
  package borrowing func conclude(for owner: some Wakeable, _ store: (_ delivers: Bool) -> Void) -> Bool {
    let isHere = turns.isCurrent
    let (delivers, step, timer) = state.withLock { state -> (Bool, CoalescingGate.Step, ArmedTimer?) in
      let (delivers, step) = state.gate.conclude(isHere: isHere)
      store(delivers)
      return (delivers, step, state.takeTimer())
    }
    timer?.work.cancel()
    perform(step, for: owner)
    return delivers
  }

  /// Drops the pending delivery, and ignores all later signals (E6).
  ///
  /// - Parameter take: Takes the payload. Called under the lock.
  package borrowing func close(taking take: () -> Void) {
    close()
    state.withLock { _ in take() }
  }
}
