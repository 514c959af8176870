internal import SimpleEvents

/// The state of one key of a loop, without the gate of the key. The lock of the loop guards it.
///
/// The object exists from the first request for the key until the key is quiet.
package final class KeyRun {
  /// The run in progress.
  var run: LoopRuns.Run?
  /// The number of the run in progress, counted within the loop.
  var number: Int = 0
  /// The number of failures in a row that were retried.
  var failures: Int = 0
  /// The number of runs of the key that have begun.
  private var count: Int = 0
  /// The tasks that wait for the answers to their requests (L10).
  private var answers: WaitList<AnswerWait> = WaitList()
  /// The error of the latest run, for requests that a leading-only policy ignores after that run.
  var latestError: (any Error)?
  var priorities: RunPriorities = RunPriorities()

  /// Records the start of a run.
  func begin(_ run: LoopRuns.Run, number: Int) {
    self.run = run
    self.number = number
    count += 1
  }

  /// Adds the wait of a request.
  ///
  /// - Parameters:
  ///   - isRunPending: Whether a run that begins later answers the request. Otherwise the run in progress
  ///     answers it, or the latest run if no run is in progress.
  ///   - isClosed: Whether the request is dropped if neither a run in progress nor a later run answers it.
  func add(
    _ wait: AnswerWait, _ resume: @escaping CancellableWait.Resume, isRunPending: Bool, isClosed: Bool
  ) -> CancellableWait.Resumption? {
    wait.number = isRunPending ? count + 1 : count
    let isAnswered = !isRunPending && run == nil
    if isAnswered { wait.error = isClosed ? CancellationError() : latestError }
    return answers.add(wait, resume, unless: isAnswered)
  }

  func cancel(_ wait: AnswerWait) -> CancellableWait.Resumption? { answers.cancel(wait) }

  /// Ends the waits of the requests that a run has answered.
  func endAnswered(_ error: (any Error)?) -> [CancellableWait.Resumption] { end(0...count, with: error) }

  /// Ends the waits of the requests that no run will answer. A run in progress answers its requests.
  func endDropped() -> [CancellableWait.Resumption] {
    end((run == nil ? 0 : count + 1)...Int.max, with: CancellationError())
  }

  private func end(_ numbers: ClosedRange<Int>, with error: (any Error)?) -> [CancellableWait.Resumption] {
    answers.end { wait in
      guard numbers.contains(wait.number) else { return false }
      wait.error = error
      return true
    }
  }
}
