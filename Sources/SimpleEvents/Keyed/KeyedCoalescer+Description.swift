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
  package var isEndless: Bool { state.withLock { $0.isEndless } }

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

// Diagnostics, and reports to a monitor.
extension KeyedCoalescer {
  @usableFromInline func flagIfOffActor() { origin.flagIfOffActor(subject) }

  @usableFromInline func noteEnd(of key: Key, dropped: Int) { source?.endDelivery(dropped: dropped, of: key) }

  /// Records an object for diagnostics, if its keys are pending without a turn or an alarm.
  @inline(__always) @usableFromInline package func noteIfEndless(_ object: AnyObject) {
    if isDebugBuild && state.withLock({ $0.isEndless }) {
      PendingLog.note(object, on: turns.scheduler, isRequest: false)
    }
  }
}
