/// The observers of a list, for use behind its lock.
///
/// A cycle retains the slots that it started with; a change then copies the array, so that no cycle sees the
/// change (H3).
struct ListState {
  var first: ObserverEntry?
  /// Made when it is first needed, because every observed event has a list.
  private(set) var details: ListDetails?

  var slots: ObserverSlots { unsafe ObserverSlots(first: first, others: details?.others.slots) }

  var isWatched: Bool { details?.watch?.isActive ?? false }

  var isClosed: Bool { unsafe details === ListDetails.closed }

  /// The number of observers.
  var count: Int32 { unsafe (first == nil ? 0 : 1) + (details?.others.count ?? 0) }

  mutating func makeDetails() -> ListDetails {
    if let details { return details }
    // A list that is watched has its details from the start.
    let details = ListDetails(nil)
    self.details = details
    return details
  }

  /// Adds an entry at the end.
  mutating func append(_ entry: ObserverEntry) {
    defer { checkInvariants() }
    if unsafe first == nil && details?.others.isEmpty != false {
      entry.position = 0
      first = entry
    } else {
      unsafe makeDetails().others.append(entry)
    }
  }

  /// Removes an entry, if it is in the list. The caller retains the entry.
  mutating func remove(_ entry: ObserverEntry) {
    defer { checkInvariants() }
    entry.markRemoved()
    let position = entry.position
    entry.position = -1
    if position == 0 { first = nil } else { unsafe _ = details?.others.remove(at: position) }
  }
}
