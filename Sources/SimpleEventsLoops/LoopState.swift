package import SimpleEvents

/// The host, the end and the waits of a loop, with or without keys. The lock of the loop guards them.
struct LoopState<Start> {
  /// The tasks that make the runs.
  enum Mode {
    /// A task is created for each run.
    case owned(Start)
    case hosted(LoopTask)
    case unhosted
    /// The loop has ended: no further run begins.
    case ended
  }

  private(set) var mode: Mode
  /// Whether the loop ends after the runs that are pending or in progress.
  var isFinishing: Bool = false
  /// The number of runs that have begun.
  var count: Int = 0
  /// The tasks that wait for a run or for the end of runs.
  var waits: WaitList<LoopWait> = WaitList()
  /// Whether the loop has ever had a host.
  private var wasHosted: Bool = false

  /// - Parameter start: Creates the task of a run; nil for a loop that is hosted.
  init(_ start: Start?) { mode = start.map { .owned($0) } ?? .unhosted }

  /// Whether the loop needs a host and has none.
  var isUnhosted: Bool { if case .unhosted = mode { true } else { false } }

  var hasEnded: Bool { if case .ended = mode { true } else { false } }

  /// Whether requests are ignored.
  var isClosed: Bool { hasEnded || isFinishing }

  /// Whether the loop needs a host and has never had one.
  var isNeglected: Bool { isUnhosted && !wasHosted }

  func isHost(_ task: LoopTask) -> Bool {
    if case .hosted(let host) = mode { host === task } else { false }
  }

  /// Makes a task the host, if the loop has none.
  mutating func host(_ task: LoopTask) -> HostAdmission {
    switch mode {
    case .owned, .hosted: return .second
    case .ended: return .ended
    case .unhosted:
      (mode, wasHosted) = (.hosted(task), true)
      return .admitted
    }
  }

  /// Replaces the task of the host. The method has no effect if `old` is not the host.
  mutating func replaceHost(_ old: LoopTask, by task: LoopTask) { if isHost(old) { mode = .hosted(task) } }

  /// Records that a host makes no further run; returns whether the caller must stop the loop.
  ///
  /// Pending requests stay for the next host. If the loop is finishing, it ends instead, because another host
  /// may never come.
  mutating func leave(_ host: LoopTask) -> Bool {
    guard isHost(host) else { return false }
    mode = .unhosted
    return isFinishing
  }

  /// Lets no further run begin. The caller has dropped all pending work.
  ///
  /// - Returns: The previous mode, which is released after the lock is released; nil if the loop had ended.
  mutating func end() -> Mode? {
    guard !hasEnded else { return nil }
    defer { mode = .ended }
    return mode
  }

  // MARK: Waits

  /// Whether a goal is reached, so that a task with this goal does not have to wait.
  ///
  /// - Parameter isDue: Whether a host has a run to begin.
  func isReached(_ goal: LoopWait.Goal, isPending: Bool, isRunning: Bool, isDue: Bool) -> Bool {
    switch goal {
    case .settled: !isRunning && !isPending
    // Without a host, the wait does not include the last run, because a further host may never come.
    case .finished: !isRunning && (!isPending || isFinishing && isUnhosted)
    case .run(let task): !isHost(task) || isDue
    }
  }

  /// Ends the waits whose goals are reached.
  mutating func endReached(isPending: Bool, isRunning: Bool, isDue: Bool) -> [CancellableWait.Resumption] {
    guard !waits.isEmpty else { return [] }
    let state = self
    return waits.end {
      state.isReached($0.goal, isPending: isPending, isRunning: isRunning, isDue: isDue)
    }
  }
}

/// The answer to a task that asks to be the host of a loop.
enum HostAdmission {
  case admitted
  /// The loop has ended.
  case ended
  /// Other tasks make the runs.
  case second
}

/// One wait of a task for the runs of a loop.
package final class LoopWait: WaitListEntry {
  /// The state for which a task waits.
  package enum Goal: Sendable {
    /// Nothing runs and nothing is pending.
    case settled
    /// The loop has ended, or there is no task to make the last run.
    case finished
    /// A run is due for a host, or the task is no longer the host.
    case run(LoopTask)
  }

  package var state: CancellableWait = .new
  let goal: Goal

  package init(until goal: Goal) { self.goal = goal }

  /// Whether the task is a host.
  var isHost: Bool { if case .run = goal { true } else { false } }
}

// SAFETY: the state is used under the lock of the runs only.
extension LoopWait: @unchecked Sendable {}

/// The runs for which tasks wait: the runs of one loop, or the runs of all keys of one loop.
package protocol AwaitedRuns: PendingObject, Sendable {
  var turns: TurnSource { get }
  /// Whether the current task is part of a run in progress.
  var isCallerInsideRun: Bool { get }

  /// Drops all pending runs, and lets no further run begin.
  func stop()
  /// Cancels the tasks of the runs in progress.
  func cancelRuns()
  /// Adds the wait of a task. The task waits until `resume` is called.
  func add(_ wait: LoopWait, _ resume: @escaping CancellableWait.Resume)
  /// Cancels a wait, even if the wait is added after this call. The task is resumed.
  func remove(_ wait: LoopWait)
}

extension AwaitedRuns {
  /// Requests a run, and waits for the end of the run that answers the request.
  ///
  /// - Parameters:
  ///   - call: The call of the user, for diagnostics.
  ///   - request: Requests a run.
  ///   - begin: Requests a run, and lets a task wait for its answer, in one step.
  ///   - cancel: Cancels the wait of a request, even if the wait is added after this call. The request stays.
  /// - Throws: The error of the run, or a `CancellationError` if the request was dropped or the caller was
  ///   cancelled.
  func refresh(
    in call: String, request: () -> Void,
    waiting begin: (AnswerWait, @escaping CancellableWait.Resume) -> Void,
    cancel: @Sendable (AnswerWait) -> Void
  ) async throws {
    guard !flagsCallInsideRun(call) else {
      request()
      throw CancellationError()
    }
    let wait = AnswerWait()
    let end = await CancellableWait.suspend(for: awaited(in: call)) {
      begin(wait, $0)
    } cancel: {
      cancel(wait)
    }
    if end == .cancelled { throw CancellationError() }
    if let error = wait.error { throw error }
  }

  /// Waits until nothing runs and nothing is pending, or until the caller's task is cancelled.
  ///
  /// - Returns: Whether nothing runs and nothing is pending; false if the task was cancelled, or if the call
  ///   was flagged.
  func settle() async -> Bool {
    guard !flagsCallInsideRun("settle()") else { return false }
    let wait = LoopWait(until: .settled)
    let end = await CancellableWait.suspend(for: awaited(in: "settle()")) {
      add(wait, $0)
    } cancel: {
      remove(wait)
    }
    return end == .reached
  }

  /// Closes the loop with a function, and waits for the last runs.
  func finish(closing close: () -> Void) async {
    close()
    await wait(until: .finished, in: "finish()")
  }

  /// Stops the loop, and waits for the runs in progress.
  func stop(cancelling cancelsRuns: Bool) async {
    stop()
    if cancelsRuns { cancelRuns() }
    await wait(until: .settled, in: "stop()")
  }

  /// Waits for a state, even if the caller's task is cancelled.
  ///
  /// - Parameter call: The name of the user's call, for diagnostics.
  func wait(until goal: LoopWait.Goal, in call: String) async {
    guard !flagsCallInsideRun(call) else { return }
    let wait = LoopWait(until: goal)
    _ = await CancellableWait.suspend(for: awaited(in: call)) { add(wait, $0) }
  }

  /// Waits until a run is due for a host; returns false if the task of the host is cancelled.
  func awaitRun(for host: LoopTask) async -> Bool {
    let wait = LoopWait(until: .run(host))
    let end = await CancellableWait.suspend(for: .run(of: subject)) {
      add(wait, $0)
    } cancel: {
      remove(wait)
    }
    return end == .reached
  }

  /// Whether a task is the host now. A second host is flagged; see ``LoopState/host(_:)``.
  func isHosted(_ admission: HostAdmission) -> Bool {
    if admission == .second { subject.misuse.flag(.secondHost(subject)) }
    return admission == .admitted
  }

  func flagsCallInsideRun(_ call: String) -> Bool {
    guard isCallerInsideRun else { return false }
    subject.misuse.flag(.waitedInsideRun(call, of: subject))
    return true
  }

  /// Returns the reason for a wait, and records the loop for diagnostics. If the loop became pending before
  /// the test scheduler began to drive the caller, the loop was not recorded at that time.
  func awaited(in call: String) -> PendingWait {
    PendingLog.note(self, on: turns.scheduler)
    return .loop(ObjectIdentifier(self), subject, call: call)
  }
}

/// The object whose runs a task makes: a loop, or one key of a loop with a window for each key.
package protocol RunSource: Sendable {
  /// The loop to which the runs belong.
  var loop: any AwaitedRuns { get }
  var subject: DiagnosticSubject { get }
  var turns: TurnSource { get }
  var retry: Backoff { get }
  var isOwned: Bool { get }
  /// Whether a run begins without a further request.
  var isPending: Bool { get }

  /// Begins the run that is due; see ``LoopRuns/begin(_:taking:)``.
  func begin(_ task: LoopTask, taking take: () -> Void) -> LoopRuns.HostStep

  /// Ends the run in progress; see ``LoopRuns/end(_:keeping:beforeEffects:)``.
  func end(_ result: RunResult, keeping keep: () -> Void, beforeEffects finish: () -> Void) -> Bool
}

extension RunSource {
  /// The executor of runs that are not isolated to an actor.
  var executor: (any TaskExecutor)? { turns.scheduler.taskExecutor }
}
