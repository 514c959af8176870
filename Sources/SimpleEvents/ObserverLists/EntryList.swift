/// An entry of a list. It stores its position in the list, so that its removal needs no search (H8).
@usableFromInline package protocol PositionedEntry: AnyObject {
  /// The position in the list: zero for the first entry. For any other entry, it is one more than the index
  /// of the entry's slot.
  ///
  /// The position of an entry that is in no list is negative.
  var position: Int32 { get set }
}

/// The entries of a list in the order in which they were added (H1): the observers of a hub or an event, or
/// the subscribers of a subject.
///
/// The first entry is stored inline. Most lists have no other entry, and need no slots.
///
/// The owner of the list ensures that accesses do not overlap, with a lock or because all accesses are steps
/// of one queue.
@frozen @usableFromInline package struct EntryList<Entry: PositionedEntry, Others: EntrySlots<Entry>> {
  /// The entry at position zero; nil if there is none. Later entries follow in slots.
  @usableFromInline package var first: Entry?
  /// The entries after the first one; nil if their slots have not been created.
  @usableFromInline package var others: Others?

  @inlinable package init(others: Others? = nil) { self.others = others }

  /// The number of entries.
  @inlinable package var count: Int32 { (first == nil ? 0 : 1) + (others?.count ?? 0) }

  /// Returns the entries after the first one; creates their slots if the list has none.
  @inlinable mutating func makeOthers() -> Others {
    if let others { return others }
    let others = Others()
    self.others = others
    return others
  }

  /// Adds an entry at the end.
  ///
  /// - Complexity: Amortised O(1).
  @inlinable package mutating func append(_ entry: Entry) {
    defer { checkInvariants() }
    if unsafe first == nil && others?.slots.isEmpty != false {
      entry.position = 0
      first = entry
    } else {
      makeOthers().append(entry)
    }
  }

  /// Removes and returns the entry at a position; nil if there is none.
  ///
  /// - Complexity: Amortised O(1).
  @inlinable package mutating func remove(at position: Int32) -> Entry? {
    defer { checkInvariants() }
    let entry = position == 0 ? first.take() : others?.remove(at: position)
    entry?.position = -1
    return entry
  }

  /// Calls a body with each entry in order, until the body returns false. The list does not change during the
  /// calls.
  ///
  /// Neither the list nor an entry is retained for a call: a retain and a release would take as long as the
  /// call.
  // NB: this function and the next one are transparent, so that a debug build needs little stack for them.
  // The stack limits the length of a chain of subjects (V8).
  @usableFromInline @_transparent package mutating func forEach(while body: (Entry) -> Bool) {
    // SAFETY: the list holds its entries, and does not change during the calls. An optional reference and an
    // optional unmanaged reference have the same representation.
    let first = unsafe withUnsafeBytes(of: &first) { unsafe $0.load(as: Unmanaged<Entry>?.self) }
    let others = unsafe withUnsafeBytes(of: &others) { unsafe $0.load(as: Unmanaged<Others>?.self) }
    guard let others = unsafe others else {
      return unsafe Self.forEach(first, UnsafeRawBufferPointer(start: nil, count: 0), while: body)
    }
    // NB: an `inout` argument is not retained.
    @inline(__always) func visit(_ slots: inout Others.Slots) {
      unsafe slots.withUnsafeBytes { unsafe Self.forEach(first, $0, while: body) }
    }
    unsafe others._withUnsafeGuaranteedRef { unsafe visit(&$0.slots) }
  }

  /// Calls a body with a first entry and with each entry in slots, in order, until the body returns false.
  ///
  /// The caller holds the entries until this function returns, so the function retains no entry.
  ///
  /// - Parameter slots: The bytes of the slots after the first entry.
  @usableFromInline @_transparent package static func forEach(
    _ first: Unmanaged<Entry>?, _ slots: UnsafeRawBufferPointer, while body: (Entry) -> Bool
  ) {
    var next = unsafe first
    // SAFETY: the caller holds the entries. A slot has the representation of an optional unmanaged reference.
    let slots = unsafe slots.assumingMemoryBound(to: Unmanaged<Entry>?.self)
    var index = 0
    while true {
      if let entry = unsafe next, unsafe !entry._withUnsafeGuaranteedRef({ body($0) }) { return }
      guard index < slots.count else { return }
      unsafe next = unsafe slots[index]
      index += 1
    }
  }

  /// Checks the position of the first entry, and the invariants of the slots.
  ///
  /// - Complexity: O(n); O(1) if the list is longer than `invariantSize`.
  @inlinable package func checkInvariants() {
    invariant(first.map { $0.position == 0 } ?? true, "H3: the first entry is in the first place")
    others?.checkInvariants()
  }
}

extension EntryList {
  /// The entries of a list at one moment.
  ///
  /// A cycle retains the slots that it started with. A change of the list then copies the slots, so that the
  /// slots of the cycle do not change (H3).
  struct Retained {
    let first: Entry?
    let others: Others.Slots?

    /// The entries, without the empty slots.
    ///
    /// - Complexity: O(n).
    var entries: [Entry] { (first.map { [$0] } ?? []) + (others?.compactMap { $0 } ?? []) }

    /// Calls a body with each entry in order, until the body returns false.
    @inline(__always) func forEach(while body: (Entry) -> Bool) {
      // SAFETY: this value retains the entries until the last call has returned.
      defer { withExtendedLifetime(first) {} }
      let first = unsafe first.map { unsafe Unmanaged.passUnretained($0) }
      unsafe (others ?? []).withUnsafeBytes { unsafe EntryList.forEach(first, $0, while: body) }
    }
  }

  var retained: Retained { unsafe Retained(first: first, others: others?.slots) }
}
