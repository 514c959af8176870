internal import SimpleEvents

extension RefreshLoop {
  /// Waits until nothing runs and nothing is pending, or until the caller's task is cancelled.
  ///
  /// The wait includes requests that come during it, and retries. A pending notification of an observed event
  /// is not a request yet, and is not included; ``finish()`` includes it.
  ///
  /// Without a host, a loop with work pending settles only when a task hosts it.
  ///
  /// A call from a run of this loop, or from a child task of such a run, is flagged and returns immediately
  /// (L5).
  ///
  /// - Returns: Whether the loop has settled. The result is false if the cancellation of the caller's task
  ///   has ended the wait. True does not mean that the work has succeeded: a loop also settles after
  ///   ``stop(cancelling:)``, and after an error that is not retried.
  @discardableResult public func settle() async -> Bool { await runs.settle() }

  /// Ends the loop after a last run for all pending requests, and does not wait for that run.
  ///
  /// Later requests are ignored. The last run starts now: it does not wait for the end of the window or for a
  /// retry. A notification of an observed `LazySimpleEvent` that is pending or in progress counts as a
  /// request. If that event is a `SimpleEventProxy`, the pending notifications of its sources do not count.
  /// The last run is not retried. If a run is in progress, fails and is to be retried, the last run follows
  /// it.
  ///
  /// The method may be called from any thread, for example by the handler of a Unix signal or of a graceful
  /// shutdown, because such a handler cannot wait. If the loop has no host, a later host makes the last run.
  /// The loop ends when the host of the last run ends, even if that host is cancelled before the run has
  /// ended. Pending requests are then dropped, and a monitor receives the end before `run` returns.
  public func close() {
    // A notification may not have reached the loop yet.
    let objects = retainedObjects.withLock { $0 } ?? []
    runs.close(hasMore: objects.contains { ($0 as? any PendingObject)?.isPendingOrDelivering == true })
    _ = retainedObjects.exchange(nil)
  }

  /// Ends the loop after a last run for all pending requests, and waits for the end of that run.
  ///
  /// The loop ends as with ``close()``. If nothing is pending, the call waits for the run in progress.
  ///
  /// The wait is as long as the run: a body that ignores its cancellation and does not return keeps the
  /// caller waiting. Cancelling the caller does not end the wait. The call does not wait for a later host.
  ///
  /// A call from a run of this loop, or from a child task of such a run, is flagged: the loop ends after the
  /// run, and the call does not wait (L5).
  public func finish() async { await runs.finish(closing: close) }

  /// Stops the loop forever, and waits for the run in progress.
  ///
  /// Pending requests are dropped, no further run starts, and the body is released. The wait is as long as
  /// the run: a body that ignores its cancellation and does not return keeps the caller waiting. Cancelling
  /// the caller does not end the wait. Call ``finish()`` instead for a last run.
  ///
  /// A call from a run of this loop, or from a child task of such a run, is flagged: the call stops the loop
  /// and does not wait (L5).
  ///
  /// - Parameter cancelsRun: Whether the task of the run in progress is cancelled.
  public func stop(cancelling cancelsRun: Bool = false) async {
    stopWithoutWait()
    await runs.stop(cancelling: cancelsRun)
  }
}
