extension RefreshLoop {
  /// Runs a body for the requests of this loop, until the loop ends, the caller's task is cancelled, or the
  /// body throws.
  ///
  /// The runs belong to the caller: they inherit its priority and its task-local values, and cancelling the
  /// caller's task cancels the run in progress. The call returns once that run has ended. What is pending
  /// then waits for the next host (L7).
  ///
  /// A second host at the same time is flagged and returns. So is a host of a loop that has a body of its
  /// own.
  ///
  /// - Parameter body: The work of a run.
  /// - Throws: The first error of the body that is not retried. The `CancellationError` of a run that was
  ///   cancelled is not thrown (L4).
  public func run(@_inheritActorContext _ body: @escaping Body) async throws {
    if let error = await host(RunWork(body: body, onError: nil, retry: retry)) { throw error }
  }

  /// Runs a body that does not throw for the requests of this loop, until the loop ends or the caller's task
  /// is cancelled.
  ///
  /// - Parameter body: The work of a run.
  public func run(
    @_inheritActorContext _ body: @escaping @Sendable @isolated(any) () async -> Void
  ) async {
    _ = await host(RunWork(body: body, onError: nil, retry: retry))
  }

  /// Runs a body for the requests of this loop, until the loop ends or the caller's task is cancelled.
  ///
  /// - Parameters:
  ///   - body: The work of a run.
  ///   - onError: Receives an error of the body, before the run counts as over (L4). The loop goes on.
  public func run(
    @_inheritActorContext _ body: @escaping Body, @_inheritActorContext onError: @escaping ErrorHandler
  ) async {
    _ = await host(RunWork(body: body, onError: onError, retry: retry))
  }

  /// Makes runs until there are no more; returns an error that nothing else has received.
  ///
  /// One task makes all runs. It resumes for a request as a task does that waits for notifications. Another
  /// one takes its place when a run was cancelled, because a task stays cancelled.
  private func host(_ work: RunWork) async -> (any Error)? {
    var run = RefreshRun()
    switch runs.host(run) {
    case .host: break
    case .ended: return nil
    case .occupied, .owned:
      runs.subject.misuse.flag(.secondHost(runs.subject))
      return nil
    }
    let outer = RunScope.current
    while true {
      let task = Task(executorPreference: executor) { [runs, run] in
        await runs.serve(run, work, hostedIn: outer)
      }
      run.store(task)
      let end = await withTaskCancellationHandler {
        await task.value
      } onCancel: { [run] in
        run.cancel()
      }
      guard end.wasCancelled && !Task.isCancelled && end.error == nil else {
        runs.leave(run)
        return end.error
      }
      let next = RefreshRun()
      runs.replaceHost(run, by: next)
      run = next
    }
  }
}

extension RefreshRuns {
  /// Makes runs in the task of a host, until one is cancelled or none follows.
  nonisolated(nonsending) fileprivate func serve(
    _ run: RefreshRun, _ work: RunWork, hostedIn outer: RunScope?
  ) async -> RunWork.End {
    while true {
      let wait = await CancellableWait.suspend(for: .run(of: subject)) {
        begin(waitOf: run, $0)
      } cancel: {
        cancel(waitOf: run)
      }
      guard wait == .reached else { return RunWork.End(wasCancelled: false) }
      switch beginHosted(run) {
      case .wait: continue
      case .end: return RunWork.End(wasCancelled: false)
      case .run:
        let end = await work.perform(in: self, hostedIn: outer)
        if end.wasCancelled || end.error != nil || Task.isCancelled { return end }
      }
    }
  }
}
