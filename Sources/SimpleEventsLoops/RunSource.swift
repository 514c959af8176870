package import SimpleEvents

/// The object whose runs a task makes: a loop, or one key of a loop with a window for each key.
package protocol RunSource: PendingObject, Sendable {
  /// The loop to which the runs belong.
  var loop: any AnyObject & Sendable { get }
  var turns: TurnSource { get }
  var retry: Backoff { get }
  var isOwned: Bool { get }

  /// Begins the run that is due; see ``LoopRuns/begin(_:taking:)``.
  func begin(_ task: LoopTask, taking take: () -> Void) -> LoopRuns.HostStep

  /// Ends the run in progress; see ``LoopRuns/end(_:keepsWork:dropped:error:isCancelled:keeping:)``.
  func end(
    _ outcome: LoopRuns.Outcome, keepsWork: Bool, dropped: Int, error: (any Error)?, isCancelled: Bool,
    keeping keep: () -> Void
  ) -> Bool
}

extension RunSource {
  /// The executor of runs that are not isolated to an actor.
  var executor: (any TaskExecutor)? { turns.scheduler.taskExecutor }
}

/// The runs for which tasks wait: those of one loop, or those of all keys of one loop.
package protocol AwaitedRuns: AnyObject, Sendable {
  var subject: DiagnosticSubject { get }
  /// Whether the current task is part of a run in progress.
  var isCallerInsideRun: Bool { get }

  /// Adds the wait of a task. The task waits until `resume` is called.
  func add(_ wait: LoopWait, _ resume: @escaping CancellableWait.Resume)
  /// Cancels a wait, even if the wait is added later. The task is resumed.
  func remove(_ wait: LoopWait)
}

extension AwaitedRuns {
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

  /// Waits for a state, even if the caller's task is cancelled.
  ///
  /// - Parameter call: The name of the user's call, for diagnostics.
  func wait(until goal: LoopRuns.Goal, in call: String) async {
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

  func flagsCallInsideRun(_ call: String) -> Bool {
    guard isCallerInsideRun else { return false }
    subject.misuse.flag(.waitedInsideRun(call, of: subject))
    return true
  }

  func awaited(in call: String) -> PendingWait {
    .loop(ObjectIdentifier(self), subject, call: call)
  }
}
