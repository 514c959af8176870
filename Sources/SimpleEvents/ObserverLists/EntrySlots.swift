/// The slots that hold the entries of a list after the first one. After a removal, a slot stays empty until
/// the entries are moved together.
@_fixed_layout @usableFromInline package class EntrySlots<Entry: PositionedEntry> {
  @usableFromInline package typealias Slots = ContiguousArray<Entry?>

  // SAFETY: exclusivity is not checked at run time, because the owner of the list ensures it.
  @exclusivity(unchecked) @usableFromInline package final var slots: Slots = []
  /// The number of empty slots.
  @exclusivity(unchecked) @usableFromInline package final var vacancies: Int32 = 0

  @inlinable package required init() {}

  /// The number of entries.
  @inlinable final var count: Int32 { unsafe Int32(slots.count) - vacancies }

  /// Adds an entry at the end.
  ///
  /// - Complexity: Amortised O(1).
  @inlinable final func append(_ entry: Entry) {
    unsafe slots.append(entry)
    entry.position = unsafe Int32(slots.count)
  }

  /// Removes and returns the entry at a position; nil if the position is outside of the slots.
  ///
  /// - Complexity: Amortised O(1). The entries are moved only after removals have emptied half of the slots,
  ///   or most of the storage (H8).
  @inlinable final func remove(at position: Int32) -> Entry? {
    guard unsafe position > 0 && position <= slots.count else { return nil }
    let entry: Entry?
    if unsafe position < slots.count {
      entry = unsafe slots[Int(position) - 1].take()
      unsafe vacancies += 1
    } else {
      entry = unsafe slots.removeLast()
      while case .some(.none) = unsafe slots.last {
        unsafe slots.removeLast()
        unsafe vacancies -= 1
      }
    }
    if unsafe slots.isEmpty {
      unsafe slots = []
    } else if unsafe vacancies > count + 8 || (slots.capacity >= 32 && slots.count < slots.capacity / 8) {
      compact()
    }
    return entry
  }

  /// Moves the entries to new storage without empty slots.
  @usableFromInline final func compact() {
    let entries = unsafe slots.lazy.filter { $0 != nil }
    unsafe vacancies = 0
    unsafe slots = Slots(entries)
    for (index, entry) in unsafe slots.enumerated() { entry?.position = Int32(index + 1) }
  }

  /// Checks the position of each entry, and that empty slots are counted, are few, and are not at the end.
  ///
  /// - Complexity: O(n); O(1) if there are more slots than `invariantSize`.
  @inlinable package final func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      let (slots, vacancies) = unsafe (slots, vacancies)
      invariant(vacancies <= slots.count / 2 + 8, "H9: at most half of the slots and a few more are empty")
      guard slots.count <= invariantSize else { return }
      invariant(slots.filter { $0 == nil }.count == vacancies, "H8: empty slots are counted")
      if let last = slots.last { invariant(last != nil, "H9: the last slot is not empty") }
      invariant(
        slots.indices.allSatisfy { index in slots[index].map { Int($0.position) == index + 1 } ?? true },
        "H8: an entry knows its slot")
    #endif
  }
}
