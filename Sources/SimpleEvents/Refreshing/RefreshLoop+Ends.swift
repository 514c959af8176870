extension RefreshLoop {
  /// Waits until nothing runs and nothing is pending, or until the caller's task is cancelled.
  ///
  /// Requests that come meanwhile are waited for, and so are retries. A notification that is pending at an
  /// observed event is not a request yet, and is not waited for: ``finish()`` runs it.
  ///
  /// A call from a run of this loop, or from a child task of it, is flagged and returns immediately (L5).
  ///
  /// - Returns: Whether the loop has settled. False if the wait was cut short.
  @discardableResult public func settle() async -> Bool {
    await runs.settle()
  }

  /// Ends the loop after a run of what is pending, and waits for the end of that run.
  ///
  /// Later requests are ignored. What is pending runs now, without the rest of its window or of its wait for
  /// a retry, and a notification that is pending at an observed event counts as a request. One that is
  /// pending behind that event, at a source of a ``SimpleEventProxy``, does not yet. The last run is not
  /// retried. If nothing is pending, the call waits for the run in progress.
  ///
  /// The wait is as long as the run: a body that ignores its cancellation and does not return keeps the
  /// caller waiting. Cancelling the caller does not end the wait, so a service that is shut down by
  /// cancellation loses nothing. A loop without a host leaves what is pending to a later host, and the call
  /// does not wait for that.
  ///
  /// A call from a run of this loop, or from a child task of it, is flagged: the loop ends after the run, and
  /// the call does not wait (L5).
  public func finish() async {
    beginFinish()
    await runs.wait(until: .finished, in: "finish()")
  }

  /// Stops the loop forever, and waits for the run in progress.
  ///
  /// Pending requests are dropped, nothing starts any more, and the body is released. The wait is as long as
  /// the run: a body that ignores its cancellation and does not return keeps the caller waiting. Cancelling
  /// the caller does not end the wait. Call ``finish()`` instead for a last run.
  ///
  /// A call from a run of this loop, or from a child task of it, is flagged: it stops the loop and does not
  /// wait (L5).
  ///
  /// - Parameter cancelsRun: Whether the task of the run in progress is cancelled.
  public func stop(cancelling cancelsRun: Bool = false) async {
    end()
    if cancelsRun { runs.cancelRun() }
    await runs.wait(until: .settled, in: "stop()")
  }
}
