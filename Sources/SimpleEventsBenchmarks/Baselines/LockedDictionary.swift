internal import Synchronization

/// A dictionary behind a lock. An object with a window for each key needs at least such a dictionary.
final class LockedDictionary<Value: Sendable>: Sendable {
  private let values: Mutex<[Int: Value]> = Mutex([:])

  func update(_ key: Int, _ change: (inout Value?) -> Void) { values.withLock { change(&$0[key]) } }

  func remove(_ key: Int) { values.withLock { _ = $0.removeValue(forKey: key) } }
}
