internal import SimpleEvents

extension KeyedRefreshLoop {
  /// Runs a body for the requests of this loop, until the loop ends, the caller's task is cancelled, or the
  /// body throws.
  ///
  /// The runs are made in child tasks of the caller: they inherit the caller's priority and task-local
  /// values, and cancelling the caller's task cancels the runs in progress. The call returns once all runs
  /// have ended. Unless the loop is closed, pending keys then stay for the next host, which does not repeat
  /// the cancelled runs (L7).
  ///
  /// The call is flagged and returns if the loop has another host at the same time, or if the loop has its
  /// own body.
  ///
  /// - Parameters:
  ///   - maxConcurrentRuns: The largest number of keys that run at the same time, at least one. `Int.max`
  ///     sets no limit.
  ///   - body: The function that does the work of a run.
  /// - Throws: The first error of the body that is not retried. It is thrown after the other runs were
  ///   cancelled and have ended (L4, L8).
  public func run(maxConcurrentRuns: Int, @_inheritActorContext _ body: @escaping Body) async throws {
    if let error = await KeyedBody(body).host(runs, limit: maxConcurrentRuns) { throw error }
  }

  /// Runs a body that does not throw for the requests of this loop, until the loop ends or the caller's task
  /// is cancelled.
  ///
  /// - Parameters:
  ///   - maxConcurrentRuns: The largest number of keys that run at the same time, at least one.
  ///   - body: The function that does the work of a run.
  public func run(
    maxConcurrentRuns: Int,
    @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (Key) async -> Void
  ) async {
    _ = await KeyedBody(body).host(runs, limit: maxConcurrentRuns)
  }

  /// Runs a body for the requests of this loop, until the loop ends or the caller's task is cancelled.
  ///
  /// - Parameters:
  ///   - maxConcurrentRuns: The largest number of keys that run at the same time, at least one.
  ///   - body: The function that does the work of a run.
  ///   - onError: The function that receives an error of the body, with the key of the run, before the run
  ///     counts as over (L4). The loop continues.
  public func run(
    maxConcurrentRuns: Int, @_inheritActorContext _ body: @escaping Body,
    @_inheritActorContext onError: @escaping ErrorHandler
  ) async {
    _ = await KeyedBody(body, onError: onError).host(runs, limit: maxConcurrentRuns)
  }
}
