extension ObserverList {
  /// The owner's type and label, and its live observers in order: their types and, in debug builds, call
  /// sites.
  func description(of owner: Any.Type) -> String {
    let label = state.withLock { $0.details?.watch?.subject.label }
    let live = entries.filter { !$0.isRemoved && $0.isAlive }
    let title = label.map { "\(owner) \"\($0)\"" } ?? "\(owner)"
    let count = live.count == 1 ? "1 observer" : "\(live.count) observers"
    return live.reduce(live.isEmpty ? "\(title), \(count)" : "\(title), \(count):") { lines, entry in
      "\(lines)\n- \(entry.typeName)\(entry.site.map { ", added at \($0)" } ?? "")"
    }
  }
}

extension ObserverHub: CustomDebugStringConvertible {
  /// The hub's type and label, and its live observers in order: their types and, in debug builds, call sites.
  ///
  /// Callable from any thread; calls no observer and flags nothing.
  ///
  /// - Complexity: O(n).
  public var debugDescription: String { list.description(of: Self.self) }
}
