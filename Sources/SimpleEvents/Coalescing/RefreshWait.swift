/// One wait for the runs of a refresh loop. The lock of the runs guards its state.
package final class RefreshWait {
  var state: CancellableWait = .new

  package init() {}
}

// SAFETY: the state is used under the lock of the runs only.
extension RefreshWait: @unchecked Sendable {}
