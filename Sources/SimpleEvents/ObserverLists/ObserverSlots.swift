/// The observers of a list in order, in slots: the first one, and an array of the others.
///
/// Most events have one observer. The first slot lets such an event do without an array: 48 bytes and one
/// allocation.
struct ObserverSlots {
  typealias Others = EntrySlots<ObserverEntry>.Slots

  let first: ObserverEntry?
  /// Nil where there never were others.
  let others: Others?

  /// The entries, except for empty slots.
  ///
  /// - Complexity: O(n).
  var entries: [ObserverEntry] { (first.map { [$0] } ?? []) + (others?.compactMap { $0 } ?? []) }

  /// Calls a body with each entry in order, until it returns false.
  ///
  /// The slots retain the entries during the call, so the entries are not retained and released one by one.
  @inline(__always) func forEach(while body: (ObserverEntry) -> Bool) {
    defer { withExtendedLifetime(first) {} }
    var next = unsafe first.map { unsafe Unmanaged.passUnretained($0) }
    // SAFETY: `first` and the array are held until the end. A slot has the representation of an optional
    // unmanaged reference.
    unsafe (others ?? []).withUnsafeBytes { bytes in
      let slots = unsafe bytes.assumingMemoryBound(to: Unmanaged<ObserverEntry>?.self)
      var index = 0
      while true {
        if let entry = unsafe next, unsafe !entry._withUnsafeGuaranteedRef({ body($0) }) { return }
        guard index < slots.count else { return }
        unsafe next = unsafe slots[index]
        index += 1
      }
    }
  }
}
