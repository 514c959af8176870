public import SimpleEvents

extension CoalescingInspector {
  /// The sources of a program with their statistics, busiest first.
  public struct Snapshot: Sendable {
    var entries: [Entry] = []

    /// The number of ended sources that the inspector has forgotten.
    public internal(set) var forgottenCount: Int = 0
    /// The sums over the forgotten sources.
    ///
    /// The instants of the sums have no meaning.
    public internal(set) var forgotten: CoalescingStatistics = CoalescingStatistics()

    /// The sums over all sources, the forgotten ones included.
    ///
    /// The instants of the sums have no meaning.
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
