internal import SimpleEvents

/// The entries that a test records, in order, from any thread.
package final class Log: Sendable {
  private let list: Guarded<[String]> = Guarded([])

  package init() {}

  package var entries: [String] { list.withLock { $0 } }

  package func add(_ entry: String) {
    list.withLock { $0.append(entry) }
  }

  /// Removes and returns the entries.
  package func take() -> [String] { list.exchange([]) }
}
