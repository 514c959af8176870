internal import SimpleEvents

/// The entries that a test records, in order. Any thread may add entries.
package final class Log: Sendable {
  private let list: Guarded<[String]> = Guarded([])

  package init() {}

  package var entries: [String] { list.withLock { $0 } }

  package func add(_ entry: String) {
    list.withLock { $0.append(entry) }
  }

  /// Returns the entries and removes them.
  package func take() -> [String] { list.exchange([]) }
}
