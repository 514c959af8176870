package import SimpleEvents

/// Collects misuses, and for each call of a block the number of misuses before the call. Any thread may use
/// the log.
package final class MisuseLog: Sendable {
  private struct State {
    var misuses: [Misuse] = []
    var counts: [Int] = []
  }

  /// Guards the misuses and the counts.
  private let state: Guarded<State> = Guarded(State())

  package init() {}

  package var all: [Misuse] { state.withLock { $0.misuses } }
  package var kinds: [Misuse.Kind] { all.map(\.kind) }
  package var messages: [String] { all.map(\.message) }
  /// A handler that adds each misuse to the log.
  package var handler: MisuseHandler { .report { [self] in add($0) } }
  /// For each call, the number of misuses before it.
  package var misusesBefore: [Int] { state.withLock { $0.counts } }

  package func add(_ misuse: Misuse) { state.withLock { $0.misuses.append(misuse) } }

  /// Records a call.
  package func noteCall() { state.withLock { $0.counts.append($0.misuses.count) } }
}
