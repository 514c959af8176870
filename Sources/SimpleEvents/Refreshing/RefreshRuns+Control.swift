// The calls that begin, drop and end runs from outside.
extension RefreshRuns {
  /// Drops all pending requests (C7). A run in progress continues.
  package func cancel() {
    coalescer.cancel()
    act { $0.gate.cancel() }
  }

  /// Cancels the task of the run in progress.
  package func cancelRun() {
    act { $0.gate.cancelRun() }
  }

  /// Lets the pending run begin now, and closes the window. Without effect if nothing is pending.
  package func flush() {
    var hastened = Coalescer.Wake()
    act { state in
      guard isPending(state) else { return nil }
      hastened = coalescer.hasten()
      let action = state.gate.flush()
      if action != nil { coalescer.source?.note(.flush) }
      return action
    }
    coalescer.perform(hastened, for: self)
  }

  /// Ignores later requests, and lets the last run begin now.
  ///
  /// - Parameter hasMore: Whether a request is pending that the coalescer has not received yet.
  package func finish(hasMore: Bool) {
    var joined = Coalescer.Wake()
    act { state in
      let isDeliveryPending = hasMore || coalescer.isPending
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

  /// Lets the next attempt begin at the end of a wait. Requests that came during the wait join it (L8). The
  /// attempt is dropped if the scheduler can no longer run work (S7).
  ///
  /// If the wait was ended before, the call has no effect.
  func endRetry(_ retry: PendingSleep, _ end: CancellableWait.End) {
    var joined = Coalescer.Wake()
    act { state in
      guard state.retry === retry else { return nil }
      guard end == .reached else { return state.gate.cancel() }
      coalescer.source?.note(.retry)
      joined = coalescer.join(.retry)
      return state.gate.endWait()
    }
    coalescer.perform(joined, for: self)
  }
}
