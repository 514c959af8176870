extension Coalescer {
  /// A description of the owner: its name, the delivery in progress, and the pending delivery. It contains
  /// times if a monitor sees the owner.
  ///
  /// - Parameters:
  ///   - name: The type and the label of the owner.
  ///   - isPending: Whether the owner has a pending delivery that the gate does not know.
  ///   - what: The pending elements with their number, such as `3 elements`; nil if they are not counted.
  func description(_ name: String, isPending: Bool = false, pending what: String? = nil) -> String {
    let (isGatePending, isDelivering) = state.withLock { (self.isPending($0.gate), $0.gate.isRunning) }
    return CoalescingStatistics.describe(
      name, source?.statistics, isDelivering: isDelivering,
      pending: isPending || isGatePending ? "\(what.map { "\($0) " } ?? "")pending" : nil)
  }
}

extension CoalescingStatistics {
  /// A description of the state of an object, with the times if a monitor sees the object.
  static func describe(
    _ name: String, _ statistics: CoalescingStatistics?, isDelivering: Bool, pending: String?
  ) -> String {
    var words = [name]
    if isDelivering { words.append("delivering\(statistics?.time(since: \.runningSince) ?? "")") }
    if let pending { words.append("\(pending)\(statistics?.time(since: \.pendingSince) ?? "")") }
    return words.joined(separator: ", ")
  }

  /// A space and a description of the time since an instant; empty if the instant is nil.
  package func time(since instant: KeyPath<CoalescingStatistics, EventInstant?>) -> String {
    self[keyPath: instant].map { " for \($0.duration(to: now).short)" } ?? ""
  }
}
