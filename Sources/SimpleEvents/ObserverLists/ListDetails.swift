/// The state that a list with one block does not need: further observers, weak observers and diagnostics.
final class ListDetails: EntrySlots<ObserverEntry> {
  static let smallestSweep: Int32 = 8
  /// The details of the list of an event that has been deallocated.
  ///
  /// SAFETY: all closed lists share this instance, and no list changes it. Only tokens still refer to a
  /// closed list, and a token removes nothing from it.
  nonisolated(unsafe) static let closed: ListDetails = ListDetails()

  // The list's lock guards the following properties.
  /// The diagnostics of the list; nil if diagnostics are off and the list has no label.
  // NB: this is a separate object, because a list without diagnostics would otherwise take about 100 bytes
  // more.
  var watch: ListDiagnostics?
  /// The number of observers at which the list is searched for deallocated observers. The search bounds the
  /// memory of a hub whose observers are added and never removed (H9).
  var sweepLength: Int32 = smallestSweep
  /// The weak observers, keyed by identity. An observer that was found deallocated is removed, or replaced by
  /// a `DeallocatedObserver`.
  private(set) var byID: [ObjectIdentifier: ObserverEntry] = [:]

  /// Lowers the number of observers at which the list is searched, after observers were removed.
  func didRemove(leaving count: Int32) {
    if count < sweepLength / 4 { sweepLength = max(Self.smallestSweep, 2 * count) }
  }

  /// Sets, replaces or removes the entry of a weak observer; returns the previous entry. The memory of many
  /// removed entries is released (H9).
  ///
  /// - Complexity: Amortised O(1).
  @discardableResult func setWeak(_ entry: ObserverEntry?, for id: ObjectIdentifier) -> ObserverEntry? {
    if let entry { return byID.updateValue(entry, forKey: id) }
    let previous = byID.removeValue(forKey: id)
    if byID.capacity > 64 && byID.count < byID.capacity / 8 {
      let all = byID
      byID = Dictionary(minimumCapacity: all.count)
      for (id, entry) in all { byID[id] = entry }
    }
    return previous
  }
}

extension ObserverList.Entries {
  // A list that is watched has its details from the start.
  var details: ListDetails? { others }

  var isWatched: Bool { details?.watch?.isActive ?? false }

  var isClosed: Bool { unsafe details === ListDetails.closed }

  /// Removes an entry, if it is in the list. The caller retains the entry.
  mutating func remove(_ entry: ObserverEntry) {
    entry.markRemoved()
    _ = remove(at: entry.position)
    details?.didRemove(leaving: count)
  }
}
