internal import SimpleEvents

extension RefreshLoop {
  /// Runs a body for the requests of this loop, until the loop ends, the caller's task is cancelled, or the
  /// body throws.
  ///
  /// The runs belong to the caller: they inherit its priority and its task-local values, and cancelling the
  /// caller's task cancels the run in progress. The call returns once that run has ended. Pending requests
  /// then stay for the next host, which does not repeat the cancelled run: call ``request()`` if its work is
  /// to be done again (L7). A task that is cancelled already makes no run.
  ///
  /// A second host at the same time is flagged and returns, and so is a host of a loop that has a body of its
  /// own. To replace a host, cancel its task and await it before the next call.
  ///
  /// - Parameter body: The work of a run.
  /// - Throws: The first error of the body that is not retried. The `CancellationError` of a run that was
  ///   cancelled is not thrown; another error of such a run is, because it is not retried (L4, L8).
  public func run(@_inheritActorContext _ body: @escaping Body) async throws {
    if let error = await LoopBody(body).host(runs) { throw error }
  }

  /// Runs a body that does not throw for the requests of this loop, until the loop ends or the caller's task
  /// is cancelled.
  ///
  /// - Parameter body: The work of a run.
  public func run(
    @_inheritActorContext _ body: @escaping @Sendable @isolated(any) () async -> Void
  ) async {
    _ = await LoopBody(body).host(runs)
  }

  /// Runs a body for the requests of this loop, until the loop ends or the caller's task is cancelled.
  ///
  /// - Parameters:
  ///   - body: The work of a run.
  ///   - onError: Receives an error of the body, before the run counts as over (L4). The loop continues.
  public func run(
    @_inheritActorContext _ body: @escaping Body, @_inheritActorContext onError: @escaping ErrorHandler
  ) async {
    _ = await LoopBody(body, onError: onError).host(runs)
  }
}
