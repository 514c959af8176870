extension BatchLoop {
  /// Waits until nothing runs and nothing is pending, or until the caller's task is cancelled.
  ///
  /// The wait includes elements that are added during it, and retries.
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

  /// Ends the loop after a last run with the queued elements, and does not wait for that run.
  ///
  /// Later additions are dropped. The queued elements are the batch of the last run. The last
  /// run starts now: it does not wait for the end of the window or for a retry. If a run in progress fails
  /// and is to be retried, its batch is part of the last run. With a batch size, last runs follow one another
  /// until nothing is queued (C12). The last run is not retried: its batch goes to `onError`.
  ///
  /// The method may be called from any thread, for example by the handler of a Unix signal or of a graceful
  /// shutdown, because such a handler cannot wait. If the loop has no host, a later host makes the last run.
  /// The loop ends when the host of the last run ends, even if that host is cancelled or throws an error.
  /// Elements that are left are then dropped, and a monitor receives the end before `run` returns (L5).
  public func close() { runs.close() }

  /// Ends the loop after a last run with the queued elements, and waits for the end of that run.
  ///
  /// The loop ends as with ``close()``.
  ///
  /// The wait is as long as the run: a body that ignores its cancellation and does not return keeps the
  /// caller waiting. Cancelling the caller does not end the wait. The call does not wait for a later host.
  ///
  /// A call from a run of this loop, or from a child task of such a run, is flagged: the loop ends after the
  /// run, and the call does not wait (L5).
  public func finish() async { await runs.finish(closing: close) }

  /// Stops the loop forever, and waits for the run in progress.
  ///
  /// The queued elements are discarded, no further run starts, and the body is released. The wait is as long
  /// as the run: a body that ignores its cancellation and does not return keeps the caller waiting.
  /// Cancelling the caller does not end the wait. Call ``finish()`` instead for a last run.
  ///
  /// A call from a run of this loop, or from a child task of such a run, is flagged: the call stops the loop
  /// and does not wait (L5).
  ///
  /// - Parameter cancelsRun: Whether the task of the run in progress is cancelled.
  public func stop(cancelling cancelsRun: Bool = false) async { await runs.stop(cancelling: cancelsRun) }
}
