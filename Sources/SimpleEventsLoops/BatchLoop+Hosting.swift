public import SimpleEvents

extension BatchLoop {
  /// Runs a body for the elements of this loop, until the loop ends, the caller's task is cancelled, or the
  /// body throws.
  ///
  /// The runs belong to the caller: they inherit the caller's priority and task-local values, and cancelling
  /// the caller's task cancels the run in progress. The call returns once that run has ended. Unless the loop
  /// is closed, the queued elements then stay for the next host. If the run in progress does not succeed,
  /// because the caller was cancelled or because of an error, the batch of that run also stays, and comes
  /// first at the next host (L7, L9).
  ///
  /// The call is flagged and returns if the loop has another host at the same time, or if the loop has its
  /// own body. To replace a host, cancel its task, and await that task before the next call.
  ///
  /// - Parameter body: The function that does the work of a run.
  /// - Throws: The first error of the body that is not retried. The `CancellationError` of a cancelled run is
  ///   not thrown. Any other error of a cancelled run is thrown, because a cancelled run is not retried (L4,
  ///   L8).
  public func run(@_inheritActorContext _ body: @escaping Body) async throws {
    if let error = await LoopBody(elements, body).host(runs) { throw error }
  }

  /// Runs a body that does not throw for the elements of this loop, until the loop ends or the caller's task
  /// is cancelled.
  ///
  /// - Parameter body: The function that does the work of a run. When it returns, its batch counts as done,
  ///   even after a cancellation.
  public func run(
    @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (Batch) async -> Void
  ) async {
    _ = await LoopBody(elements, body).host(runs)
  }

  /// Runs a body for the elements of this loop, until the loop ends or the caller's task is cancelled.
  ///
  /// - Parameters:
  ///   - body: The function that does the work of a run.
  ///   - onError: The function that receives an error of the body, with the batch of the run, before the run
  ///     counts as over (L4). The loop continues. The batch is not kept, unless it is retried or the caller
  ///     was cancelled (L9).
  public func run(
    @_inheritActorContext _ body: @escaping Body, @_inheritActorContext onError: @escaping ErrorHandler
  ) async {
    _ = await LoopBody(elements, body, onError: onError).host(runs)
  }
}
