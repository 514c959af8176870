// These methods close a window early, or end the coalescing.
extension Coalescer {
  /// Drops the pending delivery and closes the window (C7).
  ///
  /// - Parameter take: A function that takes the payload. It is called under the lock.
  borrowing func cancel(taking take: () -> Void = {}) {
    let (unsent, timer) = state.withLock { state -> (Int, ArmedTimer?) in
      uncover()
      state.gate.cancel()
      take()
      return (source?.takePending() ?? 0, state.takeTimer())
    }
    timer?.work.cancel()
    if unsent > 0 { source?.discard(unsent) }
  }

  /// Drops the pending delivery, and ignores all later signals (E6).
  ///
  /// - Parameter take: A function that takes the payload. It is called under the lock.
  package borrowing func close(taking take: () -> Void = {}) {
    let timer = state.withLock { state -> ArmedTimer? in
      uncover()
      state.gate.close()
      take()
      return state.takeTimer()
    }
    timer?.work.cancel()
    source?.end()
  }

  /// Closes the window; returns whether the owner delivers now (C7).
  ///
  /// - Parameters:
  ///   - subject: The subject of diagnostics: the owner.
  ///   - isOwed: Whether the owner delivers even if nothing is pending.
  ///   - take: A function that takes the payload, and returns the elements that are left. It is called under
  ///     the lock if the owner delivers now.
  @inline(never) borrowing func flush(
    _ subject: DiagnosticSubject, isOwed: Bool = false,
    taking take: () -> CoalescingGate.Rest = { CoalescingGate.Rest() }
  ) -> Bool {
    subject.flagFlush(off: turns)
    let now = source?.now
    let (delivers, timer) = state.withLock { state -> (Bool, ArmedTimer?) in
      guard isOwed || isPending(state.gate) else { return (false, nil) }
      let delivers = state.gate.conclude(isHere: true).delivers
      if delivers {
        uncover()
        let rest = take()
        state.gate.leave(rest)
        state.feedback.noteStart()
        source?.begin(.flush, at: now, leaving: rest.count)
      }
      return (delivers, state.takeTimer())
    }
    timer?.work.cancel()
    return delivers
  }
}
