/// One wait for the runs of a refresh loop, which any thread can cancel at any time.
package final class RefreshWait: Sendable {
  private enum State {
    case notBegun
    /// The ticket ends the wait.
    case begun(ticket: Int)
    case cancelled
  }

  private let runs: RefreshRuns
  /// Guards the state. Functions are called after the lock.
  private let state: Guarded<State> = Guarded(.notBegun)

  package init(for runs: RefreshRuns) { self.runs = runs }

  /// Calls a function once nothing runs and nothing is pending, or when the wait is cancelled. It is called once.
  package func begin(_ resume: @escaping () -> Void) {
    guard let ticket = runs.wait(resume) else { return resume() }
    let isCancelled = state.withLock { state in
      guard case .notBegun = state else { return true }
      state = .begun(ticket: ticket)
      return false
    }
    if isCancelled { runs.cancelWait(ticket) }
  }

  /// Ends the wait, also one that begins later.
  package func cancel() {
    if case .begun(let ticket) = state.exchange(.cancelled) { runs.cancelWait(ticket) }
  }
}
