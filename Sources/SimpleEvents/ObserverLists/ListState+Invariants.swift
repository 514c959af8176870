extension ListState {
  /// Checks that the first entry knows its place, that no entry was removed, and the other entries.
  ///
  /// - Complexity: O(n), and O(1) for a list that is longer than the limit of such checks.
  func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      invariant(
        first.map { $0.position == 0 && !$0.isRemoved } ?? true, "H3: the first entry is in the first slot")
      guard let others = unsafe details?.others else { return }
      others.checkInvariants()
      guard others.slots.count <= invariantSize else { return }
      invariant(
        others.slots.allSatisfy { $0?.isRemoved != true }, "H3: an entry that is removed is in no slot")
    #endif
  }
}
