import SimpleEventsLoops

extension RefreshLoop.WhenBusy {
  /// All rules for a request that comes during a run.
  static let modes: [RefreshLoop.WhenBusy] = [.rerun, .restart, .ignore]
}
