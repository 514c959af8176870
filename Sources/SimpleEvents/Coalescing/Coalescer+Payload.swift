// These methods serve an owner that delivers a payload: elements, or the newest of several values. The lock
// of the gate guards the payload. The payload is stored in the step in which the gate accepts its signal, and
// taken in the step in which the delivery starts. Each delivery therefore has the payloads of exactly the
// signals that it covers (C2, C9).
extension Coalescer {
  private enum Attempt {
    case needsInstant
    case refused
    case done(CoalescingGate.Step, ArmedTimer?)
  }

  /// Accepts a signal with a payload, from any thread.
  ///
  /// - Parameters:
  ///   - owner: The object that delivers.
  ///   - store: A function that stores the payload, or counts it as dropped if the policy ignores the signal.
  ///     It is called under the lock.
  package borrowing func signal(for owner: some Wakeable, storing store: (_ isAccepted: Bool) -> Void) {
    let isJoined = join {
      store(true)
      return true
    }
    if !isJoined {
      _ = attempt(for: owner, if: { true }) { isAccepted in
        store(isAccepted)
        return false
      }
    }
  }

  /// Accepts a signal with a payload if the signal joins the pending delivery and needs no step; returns
  /// false otherwise.
  ///
  /// Most signals of a storm join. This method is separate from the methods below, so that it can be compiled
  /// together with the code that stores an element.
  ///
  /// - Parameter store: A function that stores the payload, and returns true. It returns false if the signal
  ///   does not join. It is called under the lock.
  @inlinable @inline(__always) borrowing func join(storing store: () -> Bool) -> Bool {
    guard joinsBlindly else { return false }
    return state.withLock { $0.gate.coversSignals && store() }
  }

  /// Accepts a signal that has not joined; returns whether the signal is admitted.
  ///
  /// - Parameters:
  ///   - store: A function that stores the payload, and returns whether a batch is full. It is called under
  ///     the lock.
  ///   - note: A function that receives the gate and its step. It is called under the lock.
  package borrowing func attempt(
    for owner: some Wakeable, if isAdmitted: () -> Bool, storing store: (_ isAccepted: Bool) -> Bool,
    noting note: (CoalescingGate, CoalescingGate.Step) -> Void = { _, _ in }
  ) -> Bool {
    let isInside = isDebugBuild && owner.isCallerInsideDelivery
    var now = joinsWithoutClock ? nil : turns.now
    while true {
      switch attempt(at: now, isInside, isAdmitted, store, note) {
      case .needsInstant: now = turns.now
      case .refused: return false
      case .done(let step, let timer):
        timer?.work.cancel()
        if !step.isEmpty { perform(step, for: owner) }
        return true
      }
    }
  }

  /// Reads or changes the payload under the lock.
  package borrowing func withLock<Result>(_ body: () -> Result) -> Result { state.withLock { _ in body() } }

  @inline(__always)
  private borrowing func attempt(
    at now: EventInstant?, _ isInside: Bool, _ isAdmitted: () -> Bool, _ store: (_ isAccepted: Bool) -> Bool,
    _ note: (CoalescingGate, CoalescingGate.Step) -> Void
  ) -> Attempt {
    state.withLock { state in
      guard isAdmitted() else { return .refused }
      // A monitor also needs the instant of the first signal.
      if isWatched && now == nil && source?.hasPending != true { return .needsInstant }
      guard var step = state.signal(at: now, isInside: isInside) else { return .needsInstant }
      let isFull = store(step.isAccepted)
      if isFull { state.gate.fill(&step) }
      note(state.gate, step)
      if isWatched && step.isAccepted { source?.noteSignal(at: now, covers: joinsWithoutClock) }
      return .done(step, isFull ? state.takeVoidTimer() : nil)
    }
  }

  /// Closes the window and requests a last delivery; returns whether the owner delivers now.
  ///
  /// The owner delivers now if the caller is known to be on the scheduler and no delivery is in progress.
  /// Otherwise it delivers on a later turn (S6).
  ///
  /// - Parameters:
  ///   - owner: The object that delivers.
  ///   - store: A function that stores the end, and takes the payload if the owner delivers now. It is called
  ///     under the lock.
  package borrowing func conclude(for owner: some Wakeable, _ store: (_ delivers: Bool) -> Void) -> Bool {
    let isHere = turns.isCurrent
    let step = step(.flush, at: source?.now, taking: { _ in CoalescingGate.Rest() }) {
      let step = $0.conclude(isHere: isHere)
      store(step.delivers)
      return step
    }
    perform(step, for: owner)
    return step.delivers
  }
}
