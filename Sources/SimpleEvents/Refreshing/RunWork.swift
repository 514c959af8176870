/// The functions of a loop, as one run calls them.
struct RunWork: Sendable {
  let body: RefreshLoop.Body
  /// Nil if the task of the host receives errors.
  let onError: RefreshLoop.ErrorHandler?
  let retry: Backoff

  /// The end of a run, as the task of a host sees it.
  struct End {
    /// An error that nothing else has received.
    var error: (any Error)?
    /// Whether the task was cancelled in order to end the run.
    var wasCancelled: Bool
  }

  /// Runs the body, and reports its error.
  ///
  /// - Parameter outer: The run in which the loop is hosted.
  nonisolated(nonsending) func perform(in runs: RefreshRuns, hostedIn outer: RunScope? = nil) async -> End {
    let scope = RunScope(runs, number: runs.count, in: outer)
    var (outcome, delay, unhandled) = (RefreshGate.Outcome.succeeded, Duration?.none, (any Error)?.none)
    await RunScope.$current.withValue(scope) {
      do {
        PendingLog.flagIfBlocked(body.isolation, "body", of: runs.subject)
        try await body()
      } catch {
        if Task.isCancelled && error is CancellationError { return outcome = .cancelled }
        delay = retry.delay(after: runs.failures + 1, error)
        outcome = .failed(isRetried: delay != nil)
        if let onError {
          PendingLog.flagIfBlocked(onError.isolation, "onError", of: runs.subject)
          await onError(error)
        } else if delay == nil {
          unhandled = error
        }
      }
    }
    let wasCancelled = runs.end(outcome, retryAfter: delay ?? .zero)
    return End(error: unhandled, wasCancelled: wasCancelled)
  }
}
