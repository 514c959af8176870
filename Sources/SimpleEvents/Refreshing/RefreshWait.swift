/// One wait of a task for the runs of a loop. The lock of the runs guards its state.
package final class RefreshWait {
  let goal: RefreshRuns.Goal
  var state: CancellableWait = .new

  package init(until goal: RefreshRuns.Goal) { self.goal = goal }
}

// SAFETY: the state is used under the lock of the runs only.
extension RefreshWait: @unchecked Sendable {}
