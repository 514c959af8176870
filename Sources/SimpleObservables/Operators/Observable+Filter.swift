public import SimpleEvents

extension Observable {
  /// Returns the values of this observable that satisfy a condition.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - isIncluded: Returns whether a value is sent. Called with each value, once for each subscriber. If
  ///     the closure is isolated to an actor, a call off that actor is flagged (E9).
  @inlinable public func filter(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ isIncluded: @escaping @isolated(any) (_ value: Value) -> Bool
  ) -> Observable<Value> {
    let isIncluded = isolationChecked(isIncluded, of: publicType, at: CallSite(fileID: fileID, line: line))
    return lift { downstream in
      Observer(before: downstream) { value in
        if isIncluded(value) {
          downstream.next(value)
        }
      }
    }
  }
}
