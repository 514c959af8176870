// These methods close a window early, or end the coalescing.
extension Coalescer {
  /// Drops the pending delivery and closes the window (C7).
  ///
  /// - Parameter take: A function that takes the payload. It is called under the lock.
  borrowing func cancel(taking take: () -> Void = {}) {
    _ = step(drops: true) { _ in
      take()
      return CoalescingGate.Rest()
    } _: {
      $0.cancel()
      return CoalescingGate.Step()
    }
  }

  /// Drops the pending delivery, and ignores all later signals (E6).
  ///
  /// - Parameter take: A function that takes the payload. It is called under the lock.
  package borrowing func close(taking take: () -> Void = {}) {
    let timer = state.withLock { state -> ArmedTimer? in
      uncover()
      state.gate.close()
      take()
      return state.takeVoidTimer()
    }
    timer?.work.cancel()
    source?.end()
  }

  /// Closes the window; returns whether the owner delivers now (C7).
  ///
  /// - Parameters:
  ///   - subject: The subject of diagnostics: the owner; nil if the call of the user was already checked.
  ///   - isOwed: Whether the owner delivers even if nothing is pending.
  ///   - take: A function that takes the payload, and returns the rest, which stays queued. It is called
  ///     under the lock if the owner delivers now.
  @inline(never) borrowing func flush(
    _ subject: DiagnosticSubject?, isOwed: Bool = false,
    taking take: () -> CoalescingGate.Rest = { CoalescingGate.Rest() }
  ) -> Bool {
    subject?.flagFlush(off: turns)
    return step(.flush, at: source?.now, taking: { _ in take() }) {
      isOwed || isPending($0) ? $0.conclude(isHere: true) : CoalescingGate.Step()
    }.delivers
  }

  /// Closes the window and requests a last delivery; returns whether the owner delivers now.
  ///
  /// The owner delivers now if the caller is known to be on the scheduler and no delivery is in progress.
  /// Otherwise it delivers on a later turn (S6).
  ///
  /// - Parameters:
  ///   - owner: The object that delivers.
  ///   - store: A function that stores the completion to deliver, and takes the payload if the owner delivers
  ///     now. It is called under the lock.
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
