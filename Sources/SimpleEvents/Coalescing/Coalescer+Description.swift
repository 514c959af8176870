extension Coalescer {
  /// The owner in words: its name, what is being delivered, and what is pending. A monitor adds since when.
  ///
  /// - Parameters:
  ///   - name: The type and the label of the owner.
  ///   - what: What is pending, with its number; nil where that is not counted.
  func description(_ name: String, pending what: String? = nil) -> String {
    let statistics = source?.statistics
    let (isPending, isDelivering) = state.withLock { ($0.gate.isPending, $0.gate.flags.contains(.running)) }
    var words = [name]
    if isDelivering { words.append("delivering\(statistics?.time(since: \.runningSince) ?? "")") }
    if isPending {
      words.append("\(what.map { "\($0) " } ?? "")pending\(statistics?.time(since: \.pendingSince) ?? "")")
    }
    return words.joined(separator: ", ")
  }
}

extension CoalescingStatistics {
  /// The time since an instant in words, with a space before it; empty if there is none.
  func time(since instant: KeyPath<CoalescingStatistics, EventInstant?>) -> String {
    self[keyPath: instant].map { " for \($0.duration(to: now).short)" } ?? ""
  }
}
