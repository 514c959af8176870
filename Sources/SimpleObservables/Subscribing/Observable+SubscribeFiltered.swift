public import SimpleEvents

extension Observable {
  /// Calls a closure with each value that passes a filter, and with the previous value that passed.
  ///
  /// - Parameters:
  ///   - filter: Returns whether a value passes. Called with each value and the previous value, even if the
  ///     previous value did not pass. The previous value is nil the first time.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - onChange: Called with each value that passes, and with the previous value that passed. The previous
  ///     value is nil the first time. If one of the closures is isolated to an actor, a call off that actor
  ///     is flagged (E9).
  /// - Returns: The token. The subscription ends when the token is removed or deallocated.
  @inlinable public func subscribe(
    filter: @escaping @isolated(any) (_ value: Value, _ oldValue: Value?) -> Bool,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ onChange: @escaping @isolated(any) (_ value: Value, _ oldValue: Value?) -> Void
  ) -> any SimpleEventToken {
    let site = CallSite(fileID: fileID, line: line)
    let isIncluded = isolationChecked(filter, of: publicType, at: site)
    return withPrevious().filter { isIncluded($0.value, $0.oldValue) }.map { $0.value }
      .subscribe(change: isolationChecked(onChange, of: publicType, at: site))
  }
}

extension Observable where Value: Equatable {
  /// Calls a closure with each value that differs from the previous one, and with the previous value.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - onChange: Called with the new value and the previous value. The previous value is nil the first
  ///     time. If the closure is isolated to an actor, a call off that actor is flagged (E9).
  /// - Returns: The token. The subscription ends when the token is removed or deallocated.
  @inlinable public func subscribeDistinct(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ onChange: @escaping @isolated(any) (_ value: Value, _ oldValue: Value?) -> Void
  ) -> any SimpleEventToken {
    removeDuplicates().subscribe(
      change: isolationChecked(onChange, of: publicType, at: CallSite(fileID: fileID, line: line)))
  }
}
