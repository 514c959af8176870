// The calls that end a window or the coalescing before its time.
extension Coalescer {
  /// Drops the pending delivery and closes the window (C7).
  ///
  /// - Parameter take: Takes the payload. Called under the lock.
  borrowing func cancel(taking take: () -> Void = {}) {
    let unsent = drop(take) { gate in
      gate.cancel()
      return source?.takePending() ?? 0
    }
    if unsent > 0 { source?.discard(unsent) }
  }

  /// Drops the pending delivery, and ignores all later signals (E6).
  ///
  /// - Parameter take: Takes the payload. Called under the lock.
  package borrowing func close(taking take: () -> Void = {}) {
    ignoreSignals(taking: take)
    source?.end()
  }

  /// As ``close(taking:)``, for a loop, of which a run may follow.
  borrowing func ignoreSignals(taking take: () -> Void = {}) {
    _ = drop(take) { gate in
      gate = CoalescingGate(policy: .never)
      return 0
    }
  }

  /// - Returns: The result of the change.
  private borrowing func drop(_ take: () -> Void, _ change: (inout CoalescingGate) -> Int) -> Int {
    let (result, timer) = state.withLock { state -> (Int, ArmedTimer?) in
      uncover()
      let result = change(&state.gate)
      take()
      return (result, state.takeTimer())
    }
    timer?.work.cancel()
    return result
  }

  /// Closes the window; returns whether the owner delivers now (C7).
  ///
  /// - Parameters:
  ///   - subject: The owner in diagnostics.
  ///   - take: Takes the payload. Called under the lock, if the owner delivers now.
  borrowing func flush(_ subject: @autoclosure () -> DiagnosticSubject, taking take: () -> Void = {}) -> Bool
  {
    let subject = subject()
    if subject.misuse.isActive && turns.scheduler.isKnownElsewhere {
      subject.misuse.flag(.flushedOffScheduler(subject))
    }
    let now = source?.now
    let (delivers, timer) = state.withLock { state -> (Bool, ArmedTimer?) in
      guard state.gate.isPending else { return (false, nil) }
      let delivers = state.gate.flush()
      if delivers {
        uncover()
        take()
        state.noteStart()
        source?.handOver(.flush, beginningAt: now)
      }
      return (delivers, state.takeTimer())
    }
    timer?.work.cancel()
    return delivers
  }
}
