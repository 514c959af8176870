package import SimpleEvents

/// Records the calls of a block and the misuses that were reported before each of them.
package final class Calls: Sendable {
  private let state: Guarded<(misuses: [Misuse], counts: [Int])> = Guarded(([], []))

  package init() {}

  package var misuses: [Misuse] { state.withLock { $0.misuses } }
  /// For each call, the number of misuses before it.
  package var misusesBefore: [Int] { state.withLock { $0.counts } }
  /// A handler that records misuses.
  package var misuse: MisuseHandler { .report { self.add($0) } }

  package func add(_ misuse: Misuse) { state.withLock { $0.misuses.append(misuse) } }
  package func record() { state.withLock { $0.counts.append($0.misuses.count) } }
}
