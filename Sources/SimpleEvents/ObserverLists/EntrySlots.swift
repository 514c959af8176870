/// An entry of a list, which knows its position there, so that it is removed without a search (H8).
@usableFromInline package protocol PositionedEntry: AnyObject {
  /// The index of the entry's slot plus one. Zero stands for a place outside of the slots. Negative without a
  /// place.
  var position: Int32 { get set }
}

/// Entries in the order in which they were added (H1), in slots. A slot stays empty after a removal until the
/// entries are moved together.
///
/// The lists of a hub, an event and a subject keep their first entry elsewhere, because most have no other:
/// they need no slots then.
@frozen @usableFromInline package struct EntrySlots<Entry: PositionedEntry> {
  @usableFromInline package typealias Slots = ContiguousArray<Entry?>

  /// A cycle that holds a copy sees no later change, because a change then copies the slots (H3).
  @usableFromInline package var slots: Slots = []
  /// The number of empty slots.
  @usableFromInline package var vacancies: Int32 = 0

  @inlinable package init() {}

  @inlinable package var isEmpty: Bool { slots.isEmpty }

  /// The number of entries.
  @inlinable package var count: Int32 { Int32(slots.count) - vacancies }

  /// Adds an entry at the end.
  ///
  /// - Complexity: Amortised O(1).
  @inlinable package mutating func append(_ entry: Entry) {
    slots.append(entry)
    entry.position = Int32(slots.count)
  }

  /// Removes and returns the entry at a position; nil if the position is outside of the slots.
  ///
  /// - Complexity: Amortised O(1): the removals that emptied half of the slots, or most of the storage, pay
  ///   for moving the others (H8).
  @inlinable package mutating func remove(at position: Int32) -> Entry? {
    guard position > 0 && position <= slots.count else { return nil }
    let entry: Entry?
    if position < slots.count {
      entry = slots[Int(position) - 1].take()
      vacancies += 1
    } else {
      entry = slots.removeLast()
      while case .some(.none) = slots.last {
        slots.removeLast()
        vacancies -= 1
      }
    }
    if slots.isEmpty {
      slots = []
    } else if vacancies > count + 8 || (slots.capacity >= 32 && slots.count < slots.capacity / 8) {
      compact()
    }
    return entry
  }

  /// Moves the entries together, to storage of their size.
  @usableFromInline mutating func compact() {
    let entries = slots.lazy.filter { $0 != nil }
    vacancies = 0
    slots = Slots(entries)
    for (index, entry) in slots.enumerated() { entry?.position = Int32(index + 1) }
  }

  /// Checks that each entry knows its slot, and that empty slots are counted, few, and not at the end.
  ///
  /// - Complexity: O(n), and O(1) for more slots than the limit of such checks.
  @inlinable package func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      invariant(vacancies <= slots.count / 2 + 8, "H9: at most half of the slots are empty, and a few")
      guard slots.count <= invariantSize else { return }
      invariant(slots.filter { $0 == nil }.count == vacancies, "H8: empty slots are counted")
      if let last = slots.last { invariant(last != nil, "H9: the last slot is not empty") }
      invariant(
        slots.indices.allSatisfy { index in slots[index].map { Int($0.position) == index + 1 } ?? true },
        "H8: an entry knows its slot")
    #endif
  }
}
