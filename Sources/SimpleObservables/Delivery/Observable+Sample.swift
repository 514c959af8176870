public import SimpleEvents

extension Observable {
  /// Returns the newest value of this observable at regular instants, if there is a new value.
  ///
  /// The instants are counted from the subscription. A timer is armed only while a value is pending, so a
  /// silent source arms no timers. In virtual time, work that is due at the same instant runs in the order in
  /// which it was scheduled (S1).
  ///
  /// When this observable finishes, a pending value is sent without a wait for the instant, and then the end.
  /// When it fails, a pending value is dropped. Values and the end are sent on the scheduler, which should be
  /// serial.
  ///
  /// - Parameters:
  ///   - interval: The time between two instants; zero or less means the next turn.
  ///   - scheduler: The scheduler that calls subscribers and measures the time. A value that is sent off this
  ///     scheduler passes from one thread to another, so it should be `Sendable`.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  @inlinable @inline(__always) public func sample(
    every interval: Duration, on scheduler: some EventScheduler, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Observable<Value> {
    coalesced(by: scheduler, .sample(interval), fileID, line)
  }
}
