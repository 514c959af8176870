// The calls that begin, drop and end runs from outside.
extension RefreshRuns {
  /// Drops all pending requests (C7). A run in progress continues.
  package func cancel() {
    coalescer.cancel()
    act { state in
      state.gate.cancel()
      return nil
    }
    // NB: discard last, so that no element stays without a pending run.
    discard()
  }

  /// Cancels the task of the run in progress.
  package func cancelRun() {
    act { $0.gate.cancelRun() }
  }

  /// Lets the pending run begin now.
  package func flush() {
    act { state in
      let action = state.gate.flush()
      if action != nil { coalescer.source?.note(.flush) }
      return action
    }
    coalescer.hasten(for: self)
  }

  /// Ignores later requests, and lets the last run begin now.
  ///
  /// - Parameter hasMore: Whether a request is pending that the coalescer has not received yet.
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
    // Discards elements that were stored after the end and before this point.
    act { _ in nil }
  }

  /// Drops all pending requests, and lets no further run begin.
  ///
  /// Idempotent. A run in progress continues.
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

  /// Records that the scheduler can no longer run work (S7), or that the wait was cancelled.
  func retryLost(_ number: Int) {
    let isLost = change { (nil, $0.gate.retryLost(number)) }
    if isLost { discard() }
  }
}
