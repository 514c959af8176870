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
      guard isPending(state) else { return (false, nil) }
      let delivers = state.gate.conclude(isHere: true).delivers
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

  /// Drops the pending delivery, which another one includes, for an owner that holds a lock of its own. The
  /// caller passes the result to ``perform(_:for:)`` after it.
  ///
  /// - Parameter cause: The reason for the other delivery.
  borrowing func join(_ cause: CoalescingDelivery.Cause) -> Wake {
    state.withLock { state in
      guard isPending(state) else { return Wake() }
      state.gate.cancel()
      uncover()
      source?.handOver(cause)
      return Wake(timer: state.takeTimer())
    }
  }

  /// Closes the window, and makes a pending delivery due on the next turn, for an owner that holds a lock of
  /// its own. The caller passes the result to ``perform(_:for:)`` after that lock is released.
  borrowing func hasten() -> Wake {
    state.withLock { state in
      guard isPending(state) else {
        state.gate.cancel()
        return Wake(timer: state.takeTimer())
      }
      source?.note(.flush)
      return Wake(step: state.gate.conclude(isHere: false), timer: state.takeTimer())
    }
  }
}
