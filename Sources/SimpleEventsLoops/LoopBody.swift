package import SimpleEvents

/// The input of the runs of a loop. The lock of the coalescer guards it.
package protocol LoopInput: Sendable {
  associatedtype Value: Sendable
  /// The type of the input that is taken under the lock.
  associatedtype Taken

  /// Whether the runs have elements. If a run with elements does not succeed and its host ends, the next host
  /// repeats the run (L9).
  var hasElements: Bool { get }

  /// The elements that the latest run has left, and the elements that were added after its start. Called
  /// under the lock.
  var rest: CoalescingGate.Rest { get }

  /// Marks all queued elements, so that none of them waits for a window. Called under the lock.
  func flush()
  /// Takes the input of a run. Called under the lock.
  func take() -> Taken
  /// Returns the input of a run; nil if there is no work. The method calls functions of the user, in the task
  /// of the run.
  func value(of taken: Taken) -> Value?
  /// Keeps the input of a run for the next attempt. Called under the lock.
  func keep(_ value: Value)
  /// Answers the callers that wait for a run with this input. The run is not repeated.
  ///
  /// - Parameter error: The error of the run; nil if it has succeeded.
  func answer(_ value: Value, _ error: (any Error)?)
  /// Discards the input of a failed run. Called if no function of the user has received the error of the run.
  func discard(_ value: Value)
  /// Takes all elements. Called under the lock.
  ///
  /// - Returns: A function that discards the elements. It is called after the lock is released.
  func takeAll() -> (() -> Void)?
  /// The number of elements that a limit has dropped and that no earlier attempt has reported.
  func droppedCount(_ value: Value) -> Int
}

/// The input of a loop whose requests carry no elements. Each run has the same value.
package struct NoInput<Value: Sendable>: LoopInput {
  let value: Value

  package var hasElements: Bool { false }
  package var rest: CoalescingGate.Rest { CoalescingGate.Rest() }

  package func flush() {}
  package func take() {}
  package func value(of taken: Void) -> Value? { value }
  package func keep(_ value: Value) {}
  package func answer(_ value: Value, _ error: (any Error)?) {}
  package func discard(_ value: Value) {}
  package func takeAll() -> (() -> Void)? { nil }
  package func droppedCount(_ value: Value) -> Int { 0 }
}

/// The body of a loop, with the input of its runs.
// NB: this is a class, and several methods are not inlined. A task allocates memory for each thousand bytes
// of the frames of its functions. Copies of the body, and of inlined code, would enlarge these frames.
final class LoopBody<Input: LoopInput>: Sendable {
  typealias Call = @Sendable (Input.Value) async throws -> Void
  typealias Report = @Sendable (any Error, Input.Value) async -> Void

  let input: Input
  /// The actor to which the body is isolated; nil if there is none.
  let isolation: (any Actor)?
  let call: Call
  /// The function that receives errors; nil if the host throws them.
  let report: Report?
  /// The actor to which `report` is isolated; nil if there is none.
  let reportIsolation: (any Actor)?

  init(
    _ input: Input, on isolation: (any Actor)?, _ call: @escaping Call, onError report: Report?,
    on reportIsolation: (any Actor)? = nil
  ) {
    self.input = input
    self.isolation = isolation
    self.call = call
    self.report = report
    self.reportIsolation = reportIsolation
  }
}

extension LoopBody<NoInput<Void>> {
  convenience init(_ body: @escaping RefreshLoop.Body, onError: RefreshLoop.ErrorHandler? = nil) {
    var report: Report?
    if let onError { report = { error, _ in await onError(error) } }
    self.init(
      NoInput(value: ()), on: body.isolation, { _ in try await body() }, onError: report,
      on: onError?.isolation)
  }
}

extension LoopBody {
  /// The body of a batch loop.
  convenience init<Element>(
    _ elements: BatchElements<Element>, _ body: @escaping BatchLoop<Element>.Body,
    onError: BatchLoop<Element>.ErrorHandler? = nil
  ) where Input == BatchElements<Element> {
    var report: Report?
    if let onError { report = { await onError($0, $1.batch) } }
    self.init(
      elements, on: body.isolation, { try await body($0.batch) }, onError: report, on: onError?.isolation)
  }

  /// The function that creates a task for each run.
  var start: LoopRuns.Start {
    { [self] runs, task, priority in
      // A run inherits only the priority of its requests, and nothing from the previous run (L3).
      task.store(
        Task.detached(executorPreference: runs.executor, priority: priority) {
          _ = await self.makeRun(self.input, in: runs, task)
        })
    }
  }

  /// Makes a run on the actor of the body, if a run is due.
  ///
  /// The run begins on that actor. It therefore answers all requests that code of the actor has made before
  /// that code suspended (L2).
  ///
  /// - Parameter outer: The run in which the loop is hosted; nil if there is none.
  /// - Returns: The next step of the task.
  nonisolated(nonsending) func makeRun(
    _ input: Input, in runs: some RunSource, _ task: LoopTask, hostedIn outer: RunScope? = nil
  ) async -> LoopRuns.HostStep {
    PendingLog.note(runs.loop, on: runs.turns.scheduler)
    PendingLog.flagIfBlocked(runs.isPending ? isolation : nil, "body", of: runs.subject)
    guard let isolation else {
      return await proceed(input, begin(input, task, in: runs), in: runs, task, outer)
    }
    return await makeRun(input, in: runs, task, outer, on: isolation)
  }

  // NB: `begin` is not asynchronous, so that this function switches to the actor. Swift 6.3 does not switch
  // to the actor in a function that only calls asynchronous functions that inherit the actor.
  private func makeRun(
    _ input: Input, in runs: some RunSource, _ task: LoopTask, _ outer: RunScope?,
    on actor: isolated any Actor
  ) async -> LoopRuns.HostStep {
    await proceed(input, begin(input, task, in: runs), in: runs, task, outer)
  }

  /// Begins a run, and returns its input if there is work.
  @inline(never) private func begin(
    _ input: Input, _ task: LoopTask, in runs: some RunSource
  ) -> (LoopRuns.HostStep, Input.Value?) {
    // The task of a host may have been cancelled while the actor was busy. The task of an owned loop is
    // cancelled only during its run.
    if !runs.isOwned && Task.isCancelled { return (.leave(nil), nil) }
    var taken: Input.Taken?
    let step = runs.begin(task) { taken = input.take() }
    return (step, taken.flatMap { input.value(of: $0) })
  }

  /// Runs the body of a run that has begun, reports its error, and ends the run.
  @inline(never) nonisolated(nonsending) private func proceed(
    _ input: Input, _ begun: (step: LoopRuns.HostStep, value: Input.Value?), in runs: some RunSource,
    _ task: LoopTask, _ outer: RunScope?
  ) async -> LoopRuns.HostStep {
    guard case .run(let start) = begun.step else { return begun.step }
    guard let value = begun.value else {
      return runs.end(.succeeded, keeping: {}, beforeEffects: {}) || Task.isCancelled ? .replaceTask : .wait
    }
    var failure: Failure?
    await RunScope.$current.withValue(RunScope(runs.loop, number: start.number, in: outer)) {
      do {
        try await call(value)
      } catch {
        failure = await report(error, value, of: start, in: runs)
      }
    }
    return end(failure, input, value, in: runs, task)
  }

  /// A run that has failed. The case is indirect, so that the frame of `proceed` stays small.
  private enum Failure {
    /// - Parameter isReported: Whether a function has received the error, or no function has to receive it.
    indirect case failed(RunResult, isReported: Bool)
  }

  /// Reports the error of a run; returns the failure.
  @inline(never) nonisolated(nonsending) private func report(
    _ error: any Error, _ value: Input.Value, of start: LoopRuns.RunStart, in runs: some RunSource
  ) async -> Failure {
    // A cancelled run, or a run whose host was cancelled, is not retried, and does not count as a failure
    // (L8).
    let isCancelled = Task.isCancelled
    let delay = isCancelled || start.isLast ? nil : runs.retry.delay(after: start.failures + 1, error)
    var result = isCancelled ? RunResult.cancelled : .failed(retryAfter: delay)
    (result.error, result.isCancellation) = (error, isCancelled && error is CancellationError)
    if result.isCancellation { return .failed(result, isReported: true) }
    if isDebugBuild && delay == .zero && start.unwaited + 1 == FeedbackWatch.limit {
      runs.subject.misuse.flag(.retriesWithoutWait(runs.subject))
    }
    guard let report else { return .failed(result, isReported: false) }
    PendingLog.flagIfBlocked(reportIsolation, "onError", of: runs.subject)
    await report(error, value)
    return .failed(result, isReported: true)
  }

  /// Ends a run after its error was reported; returns the next step of the task.
  @inline(never) private func end(
    _ failure: Failure?, _ input: Input, _ value: Input.Value, in runs: some RunSource, _ task: LoopTask
  ) -> LoopRuns.HostStep {
    var (result, isReported) = (RunResult.succeeded, true)
    if case .failed(let failed, let wasReported) = failure { (result, isReported) = (failed, wasReported) }
    let isCancelled = Task.isCancelled
    if !runs.isOwned && task.isCancelled && failure != nil {
      // The host may have been cancelled while the error was reported. The run is then not retried (L8).
      (result.delay, result.isCancelled) = (nil, true)
    }
    let isRetried = result.delay != nil
    let error = result.error
    // The body may have cancelled its own task. The work is kept only if the host ends.
    let endsHost = !isReported && !isRetried || task.isCancelled
    if input.hasElements && !runs.isOwned && endsHost && error != nil && !isRetried {
      result.keepsWork = true
      // The host may have been cancelled while the error of the run was reported.
      result.isCancelled = isCancelled
    }
    result.dropped = input.droppedCount(value)
    var isRepeated = false
    result.discards = input.hasElements && error != nil && (report == nil || result.isCancellation)
    let discards = result.discards
    let wasCancelled = runs.end(result) {
      isRepeated = true
      input.keep(value)
    } beforeEffects: {
      if isRepeated { return }
      if discards { input.discard(value) }
      input.answer(value, error)
    }
    // If the loop was stopped, or the run was cancelled, there is no further attempt (L8).
    if let error, !isReported, !isRetried || !isRepeated { return .leave(error) }
    return endsHost || isCancelled || wasCancelled ? .replaceTask : .wait
  }
}

extension LoopBody {
  /// Makes runs until the host ends; returns an error that no function of the user has received.
  ///
  /// One task makes the runs, and a request resumes that task. After a cancelled run, a new task makes the
  /// next runs, because a cancelled task stays cancelled.
  func host(_ runs: LoopRuns) async -> (any Error)? {
    var task = LoopTask()
    guard runs.host(task) else { return nil }
    let outer = RunScope.current
    while true {
      guard !Task.isCancelled else {
        runs.leave(task)
        return nil
      }
      // The handler is installed before the task that makes the runs exists, so a cancellation of the host
      // always reaches that task. A request that is made after the cancellation therefore stays for the next
      // host (L7).
      let step = await withTaskCancellationHandler { [task] in
        let serving = Task(executorPreference: runs.executor) { [self, task] in
          await serve(task, in: runs, hostedIn: outer)
        }
        task.store(serving)
        return await serving.value
      } onCancel: { [task] in
        task.cancel()
      }
      guard case .replaceTask = step, !Task.isCancelled else {
        runs.leave(task)
        if case .leave(let error) = step { return error }
        return nil
      }
      let next = LoopTask()
      runs.replaceHost(task, by: next)
      task = next
    }
  }

  /// Makes runs in the task of a host, until the task makes no further run; returns its last step.
  nonisolated(nonsending) private func serve(
    _ task: LoopTask, in runs: LoopRuns, hostedIn outer: RunScope?
  ) async -> LoopRuns.HostStep {
    var step = LoopRuns.HostStep.wait
    while case .wait = step {
      guard await runs.awaitRun(for: task) else { return .leave(nil) }
      step = await makeRun(input, in: runs, task, hostedIn: outer)
    }
    return step
  }
}
