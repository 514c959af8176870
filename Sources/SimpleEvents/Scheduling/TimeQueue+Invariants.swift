extension TimeQueue {
  /// Checks the order of the heap and of the sorted run, and that each item has a slot and each free slot is
  /// empty.
  ///
  /// - Complexity: O(n); O(1) if the queue is longer than `invariantSize`.
  @inlinable func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      invariant(freeSlots.count <= slots.count, "a free slot is a slot")
      guard slots.count + items.count + run.count <= invariantSize else { return }
      invariant(
        items.indices.dropFirst().allSatisfy { !(items[$0] < items[($0 - 1) / Self.arity]) },
        "S1: no item of a heap is less than its parent")
      invariant(zip(run, run.dropFirst()).allSatisfy { $1 < $0 }, "S1: a run is sorted, the least item last")
      invariant(freeSlots.allSatisfy { slots[$0].element == nil }, "S2: a free slot has released its element")
      invariant(
        slots.filter { $0.element == nil }.count == freeSlots.count, "a slot without an element is free")
      invariant(
        (items + run).allSatisfy { $0.ticket.slot < slots.count && $0.ticket.sequence <= lastSequence },
        "an item has a slot and a sequence number")
    #endif
  }
}
