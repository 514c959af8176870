extension RefreshGate {
  /// Checks that the stage and the phase are consistent. Called after each change.
  func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      switch (stage, phase) {
      case (.open, .waiting): invariant(failures > 0, "L8: only a failed run is attempted again")
      case (.open, _), (.finishing, .due), (.finishing, .running): break
      case (.finishing, _): invariant(false, "L5: a loop that finishes has its last run before it")
      case (.ended, .idle), (.ended, .running): break
      case (.ended, _): invariant(false, "L5: a loop that has ended begins no run")
      }
      invariant(!isJoined || isIdle && stage == .open, "L3: a run is due, or part of a delivery, not both")
    #endif
  }
}
