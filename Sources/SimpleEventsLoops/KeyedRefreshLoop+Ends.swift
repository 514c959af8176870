internal import SimpleEvents

extension KeyedRefreshLoop {
  /// Waits until no key runs and no key is pending, or until the caller's task is cancelled.
  ///
  /// The wait includes requests that come during it, and retries. Without a host, a loop with keys pending
  /// settles only when a task hosts it. A call from a run of this loop, or from a child task of such a run,
  /// is flagged and returns immediately (L5).
  ///
  /// - Returns: Whether the loop has settled. The result is false if the cancellation of the caller's task
  ///   has ended the wait. True does not mean that the work has succeeded.
  @discardableResult public func settle() async -> Bool { await runs.settle() }

  /// Ends the loop after a last run of each pending key, and does not wait for these runs.
  ///
  /// Later requests are ignored. All pending keys are in line now, in the order in which they would have
  /// become due. The limit of concurrent runs stays the same. Last runs are not retried. If a run is in
  /// progress, fails and is to be retried, the last run follows it.
  ///
  /// The method may be called from any thread. If the loop has no host, a later host makes the last runs. The
  /// loop ends when the host of the last runs ends, even if that host is cancelled before they have ended.
  public func close() { runs.close() }

  /// Ends the loop after a last run of each pending key, and waits for the end of these runs.
  ///
  /// The loop ends as with ``close()``. The wait is as long as the runs: a body that ignores its cancellation
  /// and does not return keeps the caller waiting. Cancelling the caller does not end the wait. The call does
  /// not wait for a later host. A call from a run of this loop, or from a child task of such a run, is
  /// flagged, and the call does not wait (L5).
  public func finish() async { await runs.finish(closing: close) }

  /// Stops the loop forever, and waits for the runs in progress.
  ///
  /// Pending keys are dropped, no further run starts, and the body is released. As with ``finish()``, the
  /// wait is as long as the runs. A call from a run of this loop, or from a child task of such a run, is
  /// flagged: the call stops the loop and does not wait (L5).
  ///
  /// - Parameter cancelsRuns: Whether the tasks of the runs in progress are cancelled.
  public func stop(cancelling cancelsRuns: Bool = false) async { await runs.stop(cancelling: cancelsRuns) }
}
