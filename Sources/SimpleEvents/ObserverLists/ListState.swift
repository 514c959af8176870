/// The observers of a list, for use behind its lock.
///
/// A cycle retains the slots that it started with; a change then copies the array, so that no cycle sees the
/// change (H3).
struct ListState {
  var first: ObserverEntry?
  /// Made when it is first needed, because every observed event has a list.
  private(set) var details: ListDetails?

  var slots: ObserverSlots { unsafe ObserverSlots(first: first, others: details?.others) }

  var isWatched: Bool { details?.watch?.isActive ?? false }

  var isClosed: Bool { unsafe details === ListDetails.closed }

  /// The number of observers.
  var count: Int32 { (first == nil ? 0 : 1) + (details?.othersCount ?? 0) }

  mutating func makeDetails() -> ListDetails {
    if let details { return details }
    // A list that is watched has its details from the start.
    let details = ListDetails(nil)
    self.details = details
    return details
  }

  /// Adds an entry behind the others.
  mutating func append(_ entry: ObserverEntry) {
    defer { checkInvariants() }
    if unsafe first == nil && details?.others.isEmpty != false {
      entry.position = 0
      first = entry
    } else {
      let details = makeDetails()
      unsafe details.others.append(entry)
      unsafe entry.position = Int32(details.others.count)
    }
  }

  /// Takes an entry off the list, if it is in there. The caller holds a reference to it.
  mutating func remove(_ entry: ObserverEntry) {
    defer { checkInvariants() }
    entry.markRemoved()
    let position = entry.position
    entry.position = -1
    if position == 0 {
      first = nil
    } else if position > 0, let details {
      details.vacate(Int(position) - 1)
    }
  }
}

extension ListDetails {
  fileprivate var othersCount: Int32 { unsafe Int32(others.count) - vacancies }

  /// Empties a slot.
  fileprivate func vacate(_ index: Int) {
    unsafe others[index] = nil
    vacancies += 1
    while case .some(.none) = unsafe others.last {
      unsafe others.removeLast()
      vacancies -= 1
    }
    // The copy is amortised by the removals that emptied half of the slots (H8).
    if unsafe Int(vacancies) > others.count - Int(vacancies) + 8 {
      unsafe others = ObserverSlots.Others(others.lazy.filter { $0 != nil })
      vacancies = 0
      for (index, entry) in unsafe others.enumerated() { entry?.position = Int32(index + 1) }
    }
  }
}
