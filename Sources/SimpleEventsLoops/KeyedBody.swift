internal import SimpleEvents

/// The body of a loop with a window for each key.
struct KeyedBody<Key: Hashable & Sendable>: Sendable {
  let body: KeyedRefreshLoop<Key>.Body
  /// The function that receives errors; nil if the host throws them.
  var onError: KeyedRefreshLoop<Key>.ErrorHandler?

  /// The body of the runs of one key.
  private func body(of key: Key) -> LoopBody<NoInput> {
    var report: LoopBody<NoInput>.Report?
    if let onError { report = { error, _ in await onError(key, error) } }
    return LoopBody(
      NoInput(), on: body.isolation, { [body] _ in try await body(key) }, onError: report,
      on: onError?.isolation)
  }

  /// Makes a run of a key that the task has taken from the line.
  nonisolated(nonsending) private func makeRun(
    of key: Key, in runs: KeyedRuns<Key>, _ task: LoopTask, hostedIn outer: RunScope? = nil
  ) async {
    let source = KeyedRunSource(runs: runs, key: key)
    runs.leave(key, after: await body(of: key).makeRun(in: source, task, hostedIn: outer))
  }

  /// The function that creates a task for each run.
  var start: KeyedRuns<Key>.Start {
    { runs, key, priority in
      let task = LoopTask()
      // A run inherits only the priority of its requests.
      task.store(
        Task.detached(executorPreference: runs.executor, priority: priority) {
          await makeRun(of: key, in: runs, task)
        })
    }
  }

  /// Makes runs in child tasks until the host ends; returns an error that no function of the user has
  /// received.
  ///
  /// Each child task makes its run in a separate task, so that one run can be cancelled alone.
  func host(_ runs: KeyedRuns<Key>, limit: Int) async -> (any Error)? {
    let host = LoopTask()
    guard runs.host(host, limit: limit) else { return nil }
    let outer = RunScope.current
    await withDiscardingTaskGroup { group in
      while let key = await runs.nextKey(for: host) {
        group.addTask(executorPreference: runs.executor) {
          let task = LoopTask()
          let running = Task(executorPreference: runs.executor) {
            await makeRun(of: key, in: runs, task, hostedIn: outer)
          }
          task.store(running)
          await withTaskCancellationHandler {
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

/// The source of the runs of one key.
private final class KeyedRunSource<Key: Hashable & Sendable>: RunSource {
  private let runs: KeyedRuns<Key>
  private let key: Key

  init(runs: KeyedRuns<Key>, key: Key) {
    self.runs = runs
    self.key = key
  }

  var loop: any AnyObject & Sendable { runs }
  var subject: DiagnosticSubject { runs.subject }
  var turns: TurnSource { runs.keys.turns }
  var retry: Backoff { runs.retry }
  var isOwned: Bool { runs.isOwned }
  var isPending: Bool { runs.keys.isPending(key) }

  func begin(_ task: LoopTask, taking take: () -> Void) -> LoopRuns.HostStep {
    let step = runs.begin(key, task)
    if case .run = step { take() }
    return step
  }

  func end(
    _ outcome: LoopRuns.Outcome, keepsWork: Bool, dropped: Int, error: (any Error)?, isCancelled: Bool,
    keeping keep: () -> Void
  ) -> Bool {
    runs.end(key, outcome, error: error, isCancellation: isCancelled, repeating: keep)
  }
}
