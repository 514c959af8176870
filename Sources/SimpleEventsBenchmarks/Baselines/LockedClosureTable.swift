internal import Synchronization

/// Observers that any thread can remove: a dictionary of closures by number, behind a lock.
final class LockedClosureTable: Sendable {
  private struct State {
    var closures: [Int: @Sendable () -> Void] = [:]
    var lastID: Int = 0
  }

  /// Guards the closures and the number.
  private let state: Mutex<State> = Mutex(State())

  func add(_ closure: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.lastID += 1
      state.closures[state.lastID] = closure
      return state.lastID
    }
  }

  func remove(_ id: Int) {
    // The closure is released after the lock is released.
    let closure = state.withLock { $0.closures.removeValue(forKey: id) }
    withExtendedLifetime(closure) {}
  }
}
