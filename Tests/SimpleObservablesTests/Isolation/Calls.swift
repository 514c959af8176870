import SimpleEvents
import Synchronization

/// Records the calls of a block and the misuses that were reported before each of them.
final class Calls: Sendable {
  private let state: Mutex<(misuses: [Misuse], counts: [Int])> = Mutex(([], []))

  var misuses: [Misuse] { state.withLock { $0.misuses } }
  /// For each call, the number of misuses before it.
  var misusesBefore: [Int] { state.withLock { $0.counts } }

  func add(_ misuse: Misuse) { state.withLock { $0.misuses.append(misuse) } }
  func record() { state.withLock { $0.counts.append($0.misuses.count) } }
}
