internal import Synchronization

/// Closures that several threads call: an array behind a lock. The lock is held during the calls.
final class LockedValueList: Sendable {
  /// Guards the array and the calls.
  private let closures: Mutex<[@Sendable (Int) -> Void]> = Mutex([])

  func add(_ closure: @escaping @Sendable (Int) -> Void) {
    closures.withLock { $0.append(closure) }
  }

  func send(_ value: Int) {
    closures.withLock { closures in
      for closure in closures {
        closure(value)
      }
    }
  }
}
