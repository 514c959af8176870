// These methods serve batches with a size. A full batch does not wait for the end of a window, and the
// elements that it leaves stay pending (C12).
extension CoalescingGate {
  /// Closes the window after a signal, and makes a delivery due, because a batch is full (C12).
  mutating func fill(_ step: inout Step) {
    let full = conclude(isHere: false)
    step.alarm = nil
    step.requestsTurn = step.requestsTurn || full.requestsTurn
    step.startsRun = step.startsRun || full.startsRun
  }

  /// Keeps a delivery pending for the elements that a full batch leaves (C12). Called when the delivery
  /// starts.
  ///
  /// The elements are delivered at the end of the open window, or on the next turn if no window is open or a
  /// batch is full.
  package mutating func leave(_ rest: Rest) {
    defer { checkInvariants() }
    guard rest.count > 0 else { return }
    if !rest.isDue && flags.contains(.open) && policy.edges == .trailing {
      flags.insert(.undelivered)
    } else {
      flags.insert(policy.traits.contains(.makesRuns) ? .next : .due)
    }
  }
}
