extension Coalescer {
  /// The owner in words: its name, the delivery in progress, and the pending one. A monitor adds the times.
  ///
  /// - Parameters:
  ///   - name: The type and the label of the owner.
  ///   - isPending: Whether the owner has a delivery pending that the gate does not know of.
  ///   - what: The pending things with their number, as in `3 elements`; nil where they are not counted.
  func description(_ name: String, isPending: Bool = false, pending what: String? = nil) -> String {
    let (isGatePending, isDelivering) = state.withLock { (self.isPending($0.gate), $0.gate.isRunning) }
    return CoalescingStatistics.describe(
      name, source?.statistics, isDelivering: isDelivering,
      pending: isPending || isGatePending ? "\(what.map { "\($0) " } ?? "")pending" : nil)
  }
}

extension CoalescingStatistics {
  /// The state of an object in words, with the times if a monitor sees the object.
  static func describe(
    _ name: String, _ statistics: CoalescingStatistics?, isDelivering: Bool, pending: String?
  ) -> String {
    var words = [name]
    if isDelivering { words.append("delivering\(statistics?.time(since: \.runningSince) ?? "")") }
    if let pending { words.append("\(pending)\(statistics?.time(since: \.pendingSince) ?? "")") }
    return words.joined(separator: ", ")
  }

  /// The time since an instant in words, with a space before it; empty if there is none.
  package func time(since instant: KeyPath<CoalescingStatistics, EventInstant?>) -> String {
    self[keyPath: instant].map { " for \($0.duration(to: now).short)" } ?? ""
  }
}
