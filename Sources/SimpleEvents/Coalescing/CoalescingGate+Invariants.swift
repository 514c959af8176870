extension CoalescingGate {
  /// Checks the combinations of the flags.
  ///
  /// The flags are in one byte, because every event has a gate.
  ///
  /// - Complexity: O(1).
  func checkInvariants() {
    invariant(
      !flags.contains(.due) || flags.contains(.asked) || flags.contains(.starting)
        || flags.contains(.running) && !policy.traits.contains(.makesRuns),
      "C2: a delivery that is due has a turn or a task, or follows the delivery in progress")
    invariant(
      policy.traits.contains(.makesRuns) || !flags.contains(.starting) && !flags.contains(.next),
      "C1: only a loop has tasks and retries")
    invariant(
      !flags.contains(.starting) || !flags.contains(.running),
      "L1: no task is asked for while a run is in progress")
    invariant(
      !flags.contains(.undelivered) || flags.contains(.open) && policy.edges.contains(.trailing),
      "C2: what is undelivered is delivered at the end of a window")
    invariant(
      !flags.contains(.due) || !flags.contains(.undelivered), "C2: a signal is part of one delivery")
    invariant(
      !flags.contains(.armed) || flags.contains(.open) && policy.edges.contains(.trailing),
      "C4: a timer is armed for the end of a window that delivers")
    invariant(
      !flags.contains(.open) || !policy.edges.contains(.trailing) || flags.contains(.armed)
        || min(end, limit) == .distantFuture,
      "C2: a window that delivers at its end has a timer")
    invariant(
      policy.interval > 0 || flags.isDisjoint(with: Flags(rawValue: 35)),
      "C8: a policy without an interval opens no window")
  }
}
