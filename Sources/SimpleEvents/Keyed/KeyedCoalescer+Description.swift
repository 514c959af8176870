extension KeyedCoalescer: CustomStringConvertible {
  @usableFromInline package var description: String {
    let (count, isDelivering) = state.withLock { ($0.pendingCount, !$0.stage.isIdle) }
    let pending = "\(counted(count, "key")) pending\(count > 1 && isWatched ? ", the first" : "")"
    return CoalescingStatistics.describe(
      subject.name, source?.statistics, isDelivering: isDelivering, pending: count > 0 ? pending : nil)
  }
}

extension KeyedCoalescer: PendingObject {
  package var isPending: Bool { pendingCount > 0 }

  package var pendingParts: String {
    Self.clause(on: state.withLock { $0.pendingKeys })
  }

  /// A clause that names the first three of several keys; empty if there is no key.
  package static func clause(on keys: [Key]) -> String {
    guard !keys.isEmpty else { return "" }
    let names = keys.prefix(3).map { "\($0)" }.joined(separator: ", ")
    return ", with \(counted(keys.count, "key")): \(names)\(keys.count > 3 ? ", …" : "")"
  }
}
