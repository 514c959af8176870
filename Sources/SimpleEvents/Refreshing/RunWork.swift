/// The functions of a loop, as one run calls them.
protocol RunWork: Sendable {
  associatedtype Runs: RefreshRuns
  /// The input of a run.
  associatedtype Input: Sendable = Void

  /// The actor of the body.
  var isolation: (any Actor)? { get }

  /// Whether the next host repeats the work of a run that ended its host.
  var returnsToHost: Bool { get }

  /// Takes the input of a run; returns nil if there is no work.
  func takeInput(from runs: Runs) -> Input?
  /// Keeps the input of a run for the next attempt. Called under the lock of the runs.
  func keep(_ input: Input, in runs: Runs)
  /// The number of elements that a limit has dropped, and that no earlier attempt has reported.
  func droppedCount(_ input: Input, in runs: Runs) -> Int
  /// Calls the body.
  nonisolated(nonsending) func call(_ input: Input) async throws
  /// Calls the function that receives errors. Returns false if there is none: then the host throws them.
  nonisolated(nonsending) func report(
    _ error: any Error, _ input: Input, for subject: DiagnosticSubject
  ) async -> Bool
}

/// The end of a run, as the task of a host sees it.
struct RunEnd {
  /// An error that no function of the user has received.
  var error: (any Error)?
  /// Whether the task was cancelled in order to end the run.
  var wasCancelled: Bool = false
  /// Whether the task makes no further run.
  var endsHost: Bool
}

extension RunWork {
  func droppedCount(_ input: Input, in runs: Runs) -> Int { 0 }

  /// The function that creates a task for each run.
  var start: RefreshRuns.Start {
    { runs, run in
      // A run inherits nothing from its requests but the priority, and nothing from the run before (L3).
      let task = Task.detached(executorPreference: runs.executor, priority: runs.takePriority()) {
        guard let runs = runs as? Runs else { return }
        _ = await makeRun(in: runs) { runs.begin(run) ? .run : .end }
      }
      run.store(task)
    }
  }

  /// Makes a run on the actor of the body, if one is due.
  ///
  /// The run begins on that actor. It therefore answers all deliveries of requests that code of the actor has
  /// made before it suspended (L2).
  ///
  /// - Parameters:
  ///   - isHosted: Whether the task belongs to a host.
  ///   - outer: The run in which the loop is hosted.
  ///   - begin: Begins the run.
  /// - Returns: The end of the run, or of the host; nil if no run is due yet.
  nonisolated(nonsending) func makeRun(
    in runs: Runs, isHosted: Bool = false, hostedIn outer: RunScope? = nil,
    _ begin: @Sendable () -> RefreshRuns.HostStep
  ) async -> RunEnd? {
    PendingLog.note(runs, on: runs.coalescer.turns.scheduler)
    PendingLog.flagIfBlocked(runs.isPending ? isolation : nil, "body", of: runs.subject)
    guard let isolation else { return await proceed(begin(), in: runs, isHosted, outer) }
    return await makeRun(in: runs, isHosted, outer, on: isolation, begin)
  }

  // NB: `begin` is not asynchronous. Swift 6.3 does not switch to the actor in a function that only calls an
  // asynchronous function which inherits it.
  private func makeRun(
    in runs: Runs, _ isHosted: Bool, _ outer: RunScope?, on actor: isolated any Actor,
    _ begin: @Sendable () -> RefreshRuns.HostStep
  ) async -> RunEnd? {
    await proceed(begin(), in: runs, isHosted, outer)
  }

  nonisolated(nonsending) private func proceed(
    _ step: RefreshRuns.HostStep, in runs: Runs, _ isHosted: Bool, _ outer: RunScope?
  ) async -> RunEnd? {
    switch step {
    case .run: await perform(in: runs, isHosted, outer)
    case .wait: nil
    case .end: RunEnd(endsHost: true)
    }
  }

  /// Runs the body, and reports its error.
  ///
  /// - Parameters: As of ``makeRun(in:isHosted:hostedIn:_:)``.
  nonisolated(nonsending) private func perform(
    in runs: Runs, _ isHosted: Bool, _ outer: RunScope?
  ) async -> RunEnd {
    guard let input = takeInput(from: runs) else {
      let wasCancelled = runs.end(.succeeded)
      return RunEnd(wasCancelled: wasCancelled, endsHost: wasCancelled || Task.isCancelled)
    }
    let scope = RunScope(runs, number: runs.count, in: outer)
    var (outcome, delay) = (RefreshGate.Outcome.succeeded, Duration?.none)
    var isCancellation = false
    var (failure, unreported) = ((any Error)?.none, (any Error)?.none)
    await RunScope.$current.withValue(scope) {
      do {
        try await call(input)
      } catch {
        failure = error
        // Neither a cancelled run nor one whose host was cancelled is retried, or counts as a failure (L8).
        let isCancelled = Task.isCancelled
        isCancellation = isCancelled && error is CancellationError
        if !isCancelled && !runs.isLastRun { delay = runs.retry.delay(after: runs.failures + 1, error) }
        outcome = isCancelled ? .cancelled : .failed(isRetried: delay != nil)
        if isCancellation { return }
        if isDebugBuild && delay == .zero && runs.failures + 1 == FeedbackWatch.limit {
          runs.subject.misuse.flag(.retriesWithoutWait(runs.subject))
        }
        if await !report(error, input, for: runs.subject) { unreported = error }
      }
    }
    let endsHost = unreported != nil && delay == nil || Task.isCancelled
    if returnsToHost && isHosted && endsHost && outcome != .succeeded && delay == nil {
      outcome = .returned(isCancelled: Task.isCancelled)
    }
    var isRepeated = false
    let wasCancelled = runs.end(
      outcome, retryAfter: delay ?? .zero, dropped: droppedCount(input, in: runs), error: failure,
      isCancelled: isCancellation
    ) {
      isRepeated = true
      keep(input, in: runs)
    }
    // The loop may have been stopped, or the run cancelled, so that there is no further attempt (L8).
    let unhandled = delay == nil || !isRepeated ? unreported : nil
    return RunEnd(
      error: unhandled, wasCancelled: wasCancelled, endsHost: endsHost || wasCancelled || unhandled != nil)
  }
}
