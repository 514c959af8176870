package import SimpleEvents

/// The runs of a loop, or of one key of a loop, without the gate that decides when a run is due. The lock of
/// the gate guards them.
struct RunState {
  struct Run {
    let task: LoopTask
    /// Whether no attempt follows this run if it fails.
    let isLast: Bool
    /// Whether the task is to be cancelled.
    var isCancelled: Bool = false
    /// Whether the next run was flushed, so that no later request postpones it (C7).
    var isFlushed: Bool = false
  }

  /// The effects of the end of a run.
  struct End {
    var step: CoalescingGate.Step = CoalescingGate.Step()
    /// Whether the run was cancelled.
    var wasCancelled: Bool = false
    /// Whether the work is repeated.
    var isRepeated: Bool = false
    /// The wait before the next attempt; nil if no attempt follows, or if an attempt follows immediately.
    var delay: Duration?
    /// The error of an earlier run, which is released after the lock is released.
    var replacedError: (any Error)?
    var resumptions: [CancellableWait.Resumption] = []
  }

  /// The run in progress.
  var run: Run?
  /// The number of the latest run, counted within the loop.
  private(set) var number: Int = 0
  /// The number of failures in a row that were retried.
  var failures: Int = 0
  /// The number of the latest failures in a row that were retried without a wait.
  private var unwaited: Int = 0
  /// The tasks that wait for the answers to their requests (L10).
  var answers: Answers = Answers()
  var priorities: RunPriorities = RunPriorities()

  // MARK: Runs

  mutating func begin(_ task: LoopTask, number: Int, isLast: Bool) -> LoopRuns.HostStep {
    self.number = number
    run = Run(task: task, isLast: isLast)
    return .run(
      LoopRuns.RunStart(
        number: number, failures: failures, unwaited: failures == 0 ? 0 : unwaited, isLast: isLast))
  }

  /// Takes the task of the run in progress for a cancellation; returns nil if no run is in progress, or if
  /// the task was already taken.
  mutating func takeTask() -> LoopTask? {
    guard run?.isCancelled == false else { return nil }
    run?.isCancelled = true
    return run?.task
  }

  /// Ends the run in progress.
  ///
  /// - Parameters:
  ///   - mayRepeat: Whether the loop has not ended.
  ///   - isFinishing: Whether the loop ends after the runs that are pending or in progress.
  ///   - isSignalled: Whether a request is on its way to the gate.
  ///   - input: The input of the runs.
  ///   - keep: A function that keeps the input of the run. It is called if the work is repeated.
  mutating func end(
    _ result: RunResult, mayRepeat: Bool, isFinishing: Bool, isSignalled: Bool = false,
    _ input: some LoopInput, _ gate: inout CoalescingGate, keeping keep: () -> Void
  ) -> End? {
    guard let run = run.take() else { return nil }
    let mayRepeat = mayRepeat && !run.isCancelled
    let wasCancelled = result.isCancelled || run.isCancelled
    var (end, next) = (End(wasCancelled: run.isCancelled), CoalescingGate.RunEnd.done)
    if let delay = result.delay, mayRepeat && !run.isLast {
      failures += 1
      unwaited = delay > .zero ? 0 : failures == 1 ? 1 : unwaited + 1
      next = isFinishing ? .repeats : .waits
      end.delay = isFinishing ? nil : delay
    } else {
      if result.keepsWork && mayRepeat && !isFinishing { next = .repeats }
      if result.hasSucceeded || !wasCancelled { failures = 0 }
    }
    if case .done = next {
    } else {
      end.isRepeated = true
      keep()
      priorities.putBack()
    }
    end.step = gate.end(next, isFlushed: run.isFlushed, isFull: input.rest.isDue)
    guard !end.isRepeated else { return end }
    // The run that replaces a cancelled run answers the requests of the cancelled run. A run with elements is
    // not replaced, because the next run does not get the elements of the cancelled run.
    let isReplaced = wasCancelled && (gate.isPending || isSignalled) && !input.hasElements
    if !result.hasSucceeded && isReplaced { return end }
    let error = result.hasSucceeded ? nil : result.error ?? CancellationError()
    if gate.mayIgnoreSignals { end.replacedError = answers.replaceError(by: error) }
    end.resumptions = answers.end(0...number, with: error)
    return end
  }

  /// Records that the pending requests were dropped.
  ///
  /// - Returns: The resumptions of the callers whose requests no run will answer. A run in progress still
  ///   answers its requests.
  mutating func drop() -> [CancellableWait.Resumption] {
    run?.isFlushed = false
    if run == nil { failures = 0 }
    return answers.end((run == nil ? 0 : number + 1)...Int.max, with: CancellationError())
  }

  // MARK: Requests with answers

  /// Whether a request needs a run to come. Otherwise the request is dropped, or the run in progress answers
  /// it.
  ///
  /// - Parameters:
  ///   - isClosed: Whether the loop ignores requests.
  ///   - joinsRun: Whether the run in progress answers all requests that come during it (L3).
  mutating func needsRun(
    _ wait: AnswerWait, _ resume: @escaping CancellableWait.Resume, isClosed: Bool, joinsRun: Bool,
    _ resumptions: inout [CancellableWait.Resumption]
  ) -> Bool {
    let isDropped = isClosed || wait.state.isOver
    guard isDropped || joinsRun && run != nil else { return true }
    resumptions.add(answers.add(wait, resume, from: isDropped ? nil : number, isDropped: true))
    return false
  }

  /// Adds a request that the gate has received.
  ///
  /// - Parameters:
  ///   - isRunPending: Whether a later run answers the request.
  ///   - isClosed: Whether the gate ignores all signals.
  mutating func add(
    _ wait: AnswerWait, _ resume: @escaping CancellableWait.Resume, isRunPending: Bool, isClosed: Bool,
    _ resumptions: inout [CancellableWait.Resumption]
  ) {
    // If a leading-only policy ignores a request, the latest run answers it. That run may be over.
    let first = isRunPending ? number + 1 : run == nil ? nil : number
    resumptions.add(answers.add(wait, resume, from: first, isDropped: isClosed))
  }
}

extension [CancellableWait.Resumption] {
  mutating func add(_ resumption: Element?) { if let resumption { append(resumption) } }
}

/// The task that makes one run of an owned loop, or the runs of one host until a run is cancelled.
///
/// The object exists before its task. The task may begin and end before the thread that created the task
/// stores it here.
package final class LoopTask: Sendable {
  /// The task, and whether `cancel()` was called. The task is cancelled, and released, after the lock is
  /// released.
  private let state: Guarded<(task: (any CancellableRun)?, isCancelled: Bool)> = Guarded((nil, false))

  package init() {}

  /// Whether `cancel()` was called.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Stores the task, and cancels it if `cancel()` was already called.
  package func store(_ task: any CancellableRun) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels the task, even if the task is stored after this call.
  package func cancel() {
    let task = state.withLock { state -> (any CancellableRun)? in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}

/// A task that can be cancelled.
package protocol CancellableRun: Sendable {
  func cancel()
}

extension Task: CancellableRun {}

/// The result of the body of a run, after its error was reported.
package struct RunResult: Sendable {
  package static let succeeded: RunResult = RunResult(hasSucceeded: true)
  /// The body has thrown after the cancellation of its task.
  package static let cancelled: RunResult = RunResult(isCancelled: true)

  /// The body has thrown.
  ///
  /// - Parameter delay: The wait before the next attempt; nil if the error is not retried.
  package static func failed(retryAfter delay: Duration?) -> RunResult { RunResult(delay: delay) }

  var hasSucceeded: Bool = false
  var isCancelled: Bool = false
  var delay: Duration?
  /// Whether the work is not done, so that the next host repeats it (L9).
  package var keepsWork: Bool = false
  /// Whether the elements of the run are to be discarded, unless the work is repeated.
  package var discards: Bool = false
  /// The number of elements that a limit has dropped, for a monitor.
  var dropped: Int = 0
  /// The error of the run, for a monitor and for the callers that wait for an answer.
  var error: (any Error)?
  /// Whether the error comes from a cancellation and is not a failure, for a monitor.
  var isCancellation: Bool = false

  private init(hasSucceeded: Bool = false, isCancelled: Bool = false, delay: Duration? = nil) {
    (self.hasSucceeded, self.isCancelled, self.delay) = (hasSucceeded, isCancelled, delay)
  }
}

/// The requests of a loop, or of one key of a loop, whose callers wait for the answer (L10). The lock of the
/// loop guards them.
///
/// The first run that begins after a request answers the request. If that run is repeated, a later run gives
/// the answer. The wait therefore stores only the number of the first run. If the run in progress answers a
/// request, the wait stores the number of the run in progress.
struct Answers {
  private var waits: WaitList<AnswerWait> = WaitList()
  /// The error of the latest run, for requests that a leading-only policy ignores after that run.
  private var latestError: (any Error)?

  var isEmpty: Bool { waits.isEmpty }

  /// Adds a request.
  ///
  /// - Parameters:
  ///   - number: The number of the first run that answers the request; nil if no run will answer it.
  ///   - isDropped: Whether a request without a number is dropped. If it is not dropped, the latest run has
  ///     answered it.
  /// - Returns: The resumption, if the caller does not wait.
  mutating func add(
    _ wait: AnswerWait, _ resume: @escaping CancellableWait.Resume, from number: Int?, isDropped: Bool = false
  ) -> CancellableWait.Resumption? {
    if let number { wait.number = number } else { wait.error = isDropped ? CancellationError() : latestError }
    return waits.add(wait, resume, unless: number == nil)
  }

  /// Cancels the wait of a request, even if the wait is added after this call.
  mutating func cancel(_ wait: AnswerWait) -> CancellableWait.Resumption? { waits.cancel(wait) }

  /// Ends the waits whose numbers are in a range.
  mutating func end(_ numbers: ClosedRange<Int>, with error: (any Error)?) -> [CancellableWait.Resumption] {
    waits.end { wait in
      guard numbers.contains(wait.number) else { return false }
      wait.error = error
      return true
    }
  }

  /// Records the error of the latest run; returns the previous error, which is released after the lock is
  /// released.
  mutating func replaceError(by error: (any Error)?) -> (any Error)? {
    defer { latestError = error }
    return latestError
  }
}

/// A request whose caller waits for the answer.
package final class AnswerWait: WaitListEntry {
  package var state: CancellableWait = .new
  /// The number of the first run that answers the request.
  fileprivate var number: Int = .max
  /// The reason why the request has no answer; nil if the run has succeeded. It is read after the wait has
  /// ended.
  package fileprivate(set) var error: (any Error)?

  package init() {}
}

// SAFETY: the properties are used under the lock of the runs, and the error is read after the wait has ended.
extension AnswerWait: @unchecked Sendable {}
