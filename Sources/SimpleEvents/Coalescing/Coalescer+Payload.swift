// The methods for an owner that delivers a payload: elements, or the newest of several values. The payload is
// behind the lock of the gate. It is stored in the step in which the gate accepts its signal, and taken in
// the step in which the delivery starts. Each delivery therefore has the payloads of exactly the signals that
// it covers (C2, C9).
extension Coalescer {
  private enum Attempt {
    case needsInstant
    case refused
    case done(CoalescingGate.Step)
  }

  /// What became of a signal that may join the pending delivery.
  @frozen @usableFromInline enum Joining {
    case joined
    case refused
    case uncovered
  }

  /// Accepts a signal with a payload, from any thread.
  ///
  /// - Parameters:
  ///   - owner: The object that delivers.
  ///   - store: Stores the payload, or counts it as dropped if the policy ignores the signal. Called under
  ///     the lock.
  package borrowing func signal(for owner: some Wakeable, storing store: (_ isAccepted: Bool) -> Void) {
    if case .uncovered = join(if: { true }, storing: store) {
      _ = attempt(for: owner, if: { true }, storing: store)
    }
  }

  /// Accepts a signal with a payload if it joins the pending delivery and needs no step, as most signals of a
  /// storm.
  ///
  /// Apart from the methods below, so that it can be compiled together with the code that stores an element.
  ///
  /// - Parameter isAdmitted: Called under the lock. If it returns false, the signal has no effect.
  @inlinable @inline(__always)
  borrowing func join(if isAdmitted: () -> Bool, storing store: (_ isAccepted: Bool) -> Void) -> Joining {
    guard joinsBlindly else { return .uncovered }
    return state.withLock { state in
      guard state.gate.coversSignals else { return .uncovered }
      guard isAdmitted() else { return .refused }
      store(true)
      return .joined
    }
  }

  /// Accepts a signal that has not joined; returns whether it is admitted.
  @inline(never)
  borrowing func signalUncovered(
    for owner: any Wakeable, if isAdmitted: () -> Bool, storing store: (_ isAccepted: Bool) -> Void
  ) -> Bool {
    attempt(for: owner, if: isAdmitted, storing: store)
  }

  @inline(__always)
  private borrowing func attempt(
    for owner: some Wakeable, if isAdmitted: () -> Bool, storing store: (_ isAccepted: Bool) -> Void
  ) -> Bool {
    let isInside = isDebugBuild && owner.isCallerInsideDelivery
    var attempt = joinsWithoutClock ? attempt(at: nil, isInside, isAdmitted, store) : .needsInstant
    if case .needsInstant = attempt { attempt = self.attempt(at: turns.now, isInside, isAdmitted, store) }
    guard case .done(let step) = attempt else { return false }
    if !step.isEmpty { perform(step, for: owner) }
    return true
  }

  /// Reads or changes the payload under the lock.
  borrowing func withLock<Result>(_ body: () -> Result) -> Result { state.withLock { _ in body() } }

  @inline(__always)
  private borrowing func attempt(
    at now: EventInstant?, _ isInside: Bool, _ isAdmitted: () -> Bool, _ store: (Bool) -> Void
  ) -> Attempt {
    state.withLock { state in
      guard isAdmitted() else { return .refused }
      // The instant of the first signal is counted as well.
      if isWatched && now == nil && !state.gate.isPending { return .needsInstant }
      guard let step = state.signal(at: now, isInside: isInside) else { return .needsInstant }
      store(step.isAccepted)
      if isWatched && step.isAccepted { source?.noteSignal(at: now, covers: joinsWithoutClock) }
      return .done(step)
    }
  }

  /// Closes the window and asks for a last delivery; returns whether the owner delivers now.
  ///
  /// The owner delivers immediately if it is known to be on the scheduler, unless a delivery is in progress,
  /// and otherwise on the next turn (S6).
  ///
  /// - Parameters:
  ///   - owner: The object that delivers.
  ///   - store: Stores the end, and takes the payload where the owner delivers now. Called under the lock.
  package borrowing func conclude(for owner: some Wakeable, _ store: (_ delivers: Bool) -> Void) -> Bool {
    let isHere = turns.isCurrent
    let now = source?.now
    let (step, timer) = state.withLock { state -> (CoalescingGate.Step, ArmedTimer?) in
      let step = state.gate.conclude(isHere: isHere)
      uncover()
      store(step.delivers)
      if step.delivers { source?.handOver(.flush, beginningAt: now) }
      return (step, state.takeTimer())
    }
    timer?.work.cancel()
    perform(step, for: owner)
    return step.delivers
  }
}
