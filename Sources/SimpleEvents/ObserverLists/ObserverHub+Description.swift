extension ObserverList {
  /// The owner's type and label, and its live observers in order: their types and, in debug builds, call
  /// sites.
  func description(of owner: Any.Type) -> String {
    let live = liveEntries
    let title = summary(of: owner, live.count)
    return live.reduce(live.isEmpty ? title : "\(title):") { lines, entry in
      "\(lines)\n- \(entry.typeName)\(entry.site.map { ", added at \($0)" } ?? "")"
    }
  }

  /// The owner's type and label, and the number of its live observers.
  func summary(of owner: Any.Type) -> String { summary(of: owner, liveEntries.count) }

  private func summary(of owner: Any.Type, _ count: Int) -> String {
    let label = state.withLock { $0.details?.watch?.subject.label }
    return "\(label.map { "\(owner) \"\($0)\"" } ?? "\(owner)"), \(counted(count, "observer"))"
  }

  private var liveEntries: [ObserverEntry] { entries.filter { !$0.isRemoved && $0.isAlive } }
}

extension ObserverHub: CustomDebugStringConvertible {
  /// The hub's type and label, and its live observers in order: their types and, in debug builds, call sites.
  ///
  /// The property may be read from any thread. Reading it calls no observer and flags nothing.
  ///
  /// - Complexity: O(n).
  public var debugDescription: String { list.description(of: Self.self) }
}
