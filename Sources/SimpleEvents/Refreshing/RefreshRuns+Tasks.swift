// The waits of tasks for the runs of a loop.
extension RefreshRuns {
  /// Waits until nothing runs and nothing is pending, or until the caller's task is cancelled.
  ///
  /// - Returns: Whether that state was reached.
  func settle() async -> Bool {
    guard !flagsCallInsideRun("settle()") else { return false }
    let wait = RefreshWait(until: .settled)
    let end = await CancellableWait.suspend(for: awaited(in: "settle()")) {
      begin(wait, $0)
    } cancel: {
      cancel(wait)
    }
    return end == .reached
  }

  /// Waits for a state, even if the caller's task is cancelled.
  ///
  /// - Parameter call: The call of the user, for diagnostics.
  func wait(until goal: Goal, in call: String) async {
    guard !flagsCallInsideRun(call) else { return }
    let wait = RefreshWait(until: goal)
    _ = await CancellableWait.suspend(for: awaited(in: call)) { begin(wait, $0) }
  }

  private func flagsCallInsideRun(_ call: String) -> Bool {
    guard isCallerInsideRun else { return false }
    subject.misuse.flag(.waitedInsideRun(call, of: subject))
    return true
  }

  private func awaited(in call: String) -> PendingWait {
    .loop(ObjectIdentifier(self), subject, call: call)
  }
}
