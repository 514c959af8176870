extension RunWork {
  /// Makes runs until the host ends; returns an error that no function of the user has received.
  ///
  /// One task makes all runs. A request resumes the task, as a notification resumes a task that iterates.
  /// After a cancelled run another task replaces it, because a task stays cancelled.
  func host(_ runs: Runs) async -> (any Error)? {
    var run = RefreshRun()
    switch runs.host(run) {
    case .host: break
    case .ended: return nil
    case .occupied:
      runs.subject.misuse.flag(.secondHost(runs.subject))
      return nil
    }
    let outer = RunScope.current
    while true {
      guard !Task.isCancelled else {
        runs.leave(run)
        return nil
      }
      let task = Task(executorPreference: runs.executor) { [run] in
        await serve(run, in: runs, hostedIn: outer)
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

  /// Makes runs in the task of a host, until a run is cancelled or no run follows.
  nonisolated(nonsending) private func serve(
    _ run: RefreshRun, in runs: Runs, hostedIn outer: RunScope?
  ) async -> RunEnd {
    while true {
      let wait = await CancellableWait.suspend(for: .run(of: runs.subject)) {
        runs.begin(waitOf: run, $0)
      } cancel: {
        runs.cancel(waitOf: run)
      }
      guard wait == .reached else { return RunEnd(endsHost: true) }
      let end = await makeRun(in: runs, isHosted: true, hostedIn: outer) {
        // The task may have been cancelled while the actor was busy.
        Task.isCancelled ? .end : runs.beginHosted(run)
      }
      if let end, end.endsHost { return end }
    }
  }
}
