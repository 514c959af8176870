public import SimpleEvents

extension CoalescingInspector {
  /// The sources of a program with their statistics, busiest first.
  public struct Snapshot: Sendable {
    var entries: [Entry] = []

    /// The number of ended sources that the inspector has forgotten.
    public internal(set) var forgottenCount: Int = 0
    /// The sums over the forgotten sources.
    ///
    /// The instants of the sums have no meaning, and neither has `consecutiveFailureCount`.
    public internal(set) var forgotten: CoalescingStatistics = CoalescingStatistics()

    /// The sums over all sources, the forgotten ones included.
    ///
    /// The instants of the sums have no meaning, and neither has `consecutiveFailureCount`.
    ///
    /// - Complexity: O(n).
    public var total: CoalescingStatistics {
      entries.reduce(into: forgotten) { $0.add($1.statistics) }
    }
  }
}

extension CoalescingInspector.Snapshot: RandomAccessCollection {
  /// The index of the first entry: zero.
  public var startIndex: Int { 0 }

  /// The number of entries.
  public var endIndex: Int { entries.count }

  /// The entry at an index.
  public subscript(index: Int) -> CoalescingInspector.Entry { entries[index] }
}

extension CoalescingInspector.Snapshot: CustomStringConvertible {
  /// The snapshot as tables of at most ten sources each.
  public var description: String { InspectorReport(snapshot: self).text }
}

extension CoalescingStatistics {
  /// Adds the counts of another source. Instants are not added, because two sources may have different
  /// clocks.
  mutating func add(_ other: CoalescingStatistics) {
    signalCount += other.signalCount
    deliveryCount += other.deliveryCount
    deliveredSignalCount += other.deliveredSignalCount
    discardedSignalCount += other.discardedSignalCount
    droppedCount += other.droppedCount
    failureCount += other.failureCount
    pendingSignalCount += other.pendingSignalCount
    runningSignalCount += other.runningSignalCount
    pendingKeyCount += other.pendingKeyCount
    runningKeyCount += other.runningKeyCount
    failingKeyCount += other.failingKeyCount
    totalLatency += other.totalLatency
    longestLatency = max(longestLatency, other.longestLatency)
    totalDuration += other.totalDuration
    longestDuration = max(longestDuration, other.longestDuration)
  }
}
