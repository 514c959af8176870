internal import SimpleEvents

/// The body of a loop with a window for each key. The input of a run is the object of its key.
typealias KeyedBody = LoopBody<NoInput<KeyRun?>>

extension KeyedBody {
  convenience init<Key>(
    _ body: @escaping KeyedRefreshLoop<Key>.Body, onError: KeyedRefreshLoop<Key>.ErrorHandler? = nil
  ) {
    var report: Report?
    if let onError { report = { await onError($1!.key(as: Key.self), $0) } }
    self.init(
      NoInput(value: nil), on: body.isolation, { try await body($0!.key(as: Key.self)) }, onError: report,
      on: onError?.isolation)
  }

  /// Makes a run of a key that the task has taken from the line.
  nonisolated(nonsending) private func makeRun(
    of key: KeyRun, in runs: KeyedRuns, _ task: LoopTask, hostedIn outer: RunScope? = nil
  ) async {
    let source = KeyedRunSource(runs: runs, key: key)
    let step = await makeRun(NoInput(value: key), in: source, task, hostedIn: outer)
    runs.leave(key, after: step)
  }

  /// The function that creates a task for each run.
  var startOfKeys: KeyedRuns.Start {
    { [self] runs, key, priority in
      let task = LoopTask()
      // A run inherits only the priority of its requests.
      task.store(
        Task.detached(executorPreference: runs.executor, priority: priority) {
          await self.makeRun(of: key, in: runs, task)
        })
    }
  }

  /// Makes runs in child tasks until the host ends; returns an error that no function of the user has
  /// received.
  ///
  /// Each child task makes its run in a separate task, so that one run can be cancelled alone.
  func host(_ runs: KeyedRuns, limit: Int) async -> (any Error)? {
    let host = LoopTask()
    guard runs.host(host, limit: limit) else { return nil }
    let outer = RunScope.current
    await withDiscardingTaskGroup { group in
      while let key = await runs.nextKey(for: host) {
        group.addTask(executorPreference: runs.executor) {
          let task = LoopTask()
          // The handler is installed before the task of the run exists, as in the host of a loop without
          // keys.
          await withTaskCancellationHandler {
            let running = Task(executorPreference: runs.executor) {
              await self.makeRun(of: key, in: runs, task, hostedIn: outer)
            }
            task.store(running)
            await running.value
          } onCancel: {
            task.cancel()
          }
        }
      }
      if runs.hasFailed { group.cancelAll() }
    }
    return runs.leave(host)
  }
}

extension KeyedRefreshLoop {
  @usableFromInline static func start(_ body: @escaping Body, onError: @escaping ErrorHandler)
    -> KeyedRuns.Start
  {
    KeyedBody(body, onError: onError).startOfKeys
  }
}

/// The source of the runs of one key.
private struct KeyedRunSource: RunSource {
  let runs: KeyedRuns
  let key: KeyRun

  var loop: any AwaitedRuns { runs }
  var subject: DiagnosticSubject { runs.subject }
  var turns: TurnSource { runs.keys.turns }
  var retry: Backoff { runs.retry }
  var isOwned: Bool { runs.isOwned }
  var isPending: Bool { runs.isPending { key } }

  func begin(_ task: LoopTask, taking take: () -> Void) -> LoopRuns.HostStep {
    let step = runs.begin(key, task)
    if case .run = step { take() }
    return step
  }

  func end(_ result: RunResult, keeping keep: () -> Void, beforeEffects finish: () -> Void) -> Bool {
    // A run of a key has no elements, so there is nothing to finish.
    runs.end(key, result, repeating: keep)
  }
}
