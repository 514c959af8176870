// The calls that begin, drop and end runs from outside.
extension RefreshRuns {
  /// Drops what is pending (C7). A run in progress goes on.
  package func cancel() {
    coalescer.cancel()
    act { state in
      state.gate.cancel()
      return nil
    }
    // NB: last, so that no element stays for which no run is pending.
    discard()
  }

  /// Cancels the task of the run in progress.
  package func cancelRun() {
    act { $0.gate.cancelRun() }
  }

  /// Lets the run that is pending begin now.
  package func flush() {
    act { state in
      let action = state.gate.flush()
      if action != nil { coalescer.source?.note(.flush) }
      return action
    }
    coalescer.hasten(for: self)
  }

  /// Ignores later requests, and lets what is pending run now.
  ///
  /// - Parameter hasMore: Whether a request is on its way that the coalescer does not know of.
  package func finish(hasMore: Bool) {
    var joined = Coalescer.Wake()
    act { state in
      let isDeliveryPending = hasMore || !coalescer.isQuiet
      coalescer.source?.note(.flush)
      joined = coalescer.join(.flush)
      return state.gate.finish(isDeliveryPending: isDeliveryPending)
    }
    coalescer.perform(joined, for: self)
    coalescer.ignoreSignals()
    // Discards what was stored after the end and before this.
    act { _ in nil }
  }

  /// Drops what is pending and lets no further run begin.
  ///
  /// Idempotent. A run in progress goes on.
  package func stop() {
    coalescer.ignoreSignals()
    act { state in
      state.gate.stop()
      return nil
    }
  }

  /// Lets the next attempt begin. Requests that came during the wait join it (L8).
  func retryDue(_ number: Int) {
    var joined = Coalescer.Wake()
    act { state in
      let action = state.gate.retryDue(number)
      if action != nil {
        coalescer.source?.note(.retry)
        joined = coalescer.join(.retry)
      }
      return action
    }
    coalescer.perform(joined, for: self)
  }

  /// Records that the scheduler can run nothing any more (S7), or that the wait was cancelled.
  func retryLost(_ number: Int) {
    let isLost = change { (nil, $0.gate.retryLost(number)) }
    if isLost { discard() }
  }
}
