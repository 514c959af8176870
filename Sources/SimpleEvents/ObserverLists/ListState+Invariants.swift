extension ListState {
  /// Checks that each entry knows its slot, and that empty slots are counted, few, and not at the end.
  ///
  /// - Complexity: O(n), and O(1) for a list that is longer than the limit of such checks.
  func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      invariant(
        first.map { $0.position == 0 && !$0.isRemoved } ?? true, "H3: the first entry is in the first slot")
      guard let details else { return }
      let others = unsafe details.others
      invariant(
        details.vacancies <= others.count / 2 + 8, "H9: at most half of the slots are empty, and a few")
      guard others.count <= invariantSize else { return }
      invariant(others.filter { $0 == nil }.count == details.vacancies, "H8: empty slots are counted")
      if let last = others.last { invariant(last != nil, "the last slot is not empty") }
      invariant(
        others.indices.allSatisfy { others[$0].map { $0.isRemoved } != true },
        "H3: an entry that is removed is in no slot")
      invariant(
        others.indices.allSatisfy { index in others[index].map { Int($0.position) == index + 1 } ?? true },
        "H8: an entry knows its slot")
    #endif
  }
}
