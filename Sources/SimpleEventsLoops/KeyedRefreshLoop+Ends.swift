internal import SimpleEvents

extension KeyedRefreshLoop {
  /// Waits until no key runs and none is pending, or until the caller's task is cancelled.
  ///
  /// The wait includes requests that come during it, and retries. Without a host, a loop with keys pending
  /// settles only when a task hosts it. A call from a run of this loop, or from a child task of it, is
  /// flagged and returns immediately (L5).
  ///
  /// - Returns: Whether the loop has settled. False if the wait was ended by the cancellation of the caller's
  ///   task. True does not mean that the work has succeeded.
  @discardableResult public func settle() async -> Bool { await runs.settle() }

  /// Ends the loop after a last run of each key that is pending, and does not wait for these runs.
  ///
  /// Later requests are ignored. The keys are in line now, in the order in which they would have become due,
  /// and not more of them run at a time than before. Last runs are not retried. If a run is in progress,
  /// fails and is to be retried, the last run follows it.
  ///
  /// Callable from any thread. A loop without a host leaves pending keys to a later host. The loop ends with
  /// the host that makes the last runs, even if that host is cancelled before.
  public func close() { runs.finish() }

  /// Ends the loop after a last run of each key that is pending, and waits for the end of these runs.
  ///
  /// The end is that of ``close()``. The wait is as long as the runs: a body that ignores its cancellation
  /// and does not return keeps the caller waiting. Cancelling the caller does not end the wait. The call does
  /// not wait for a later host. A call from a run of this loop, or from a child task of it, is flagged, and
  /// does not wait (L5).
  public func finish() async {
    close()
    await runs.wait(until: .finished, in: "finish()")
  }

  /// Stops the loop forever, and waits for the runs in progress.
  ///
  /// Pending keys are dropped, no further run starts, and the body is released. The wait is as long as the
  /// runs, as that of ``finish()``. A call from a run of this loop, or from a child task of it, is flagged:
  /// it stops the loop and does not wait (L5).
  ///
  /// - Parameter cancelsRuns: Whether the tasks of the runs in progress are cancelled.
  public func stop(cancelling cancelsRuns: Bool = false) async {
    runs.stop()
    if cancelsRuns { runs.cancelRuns() }
    await runs.wait(until: .settled, in: "stop()")
  }
}
