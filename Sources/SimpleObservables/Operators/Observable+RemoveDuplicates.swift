public import SimpleEvents

extension Observable {
  /// Returns the values of this observable, without values that equal the previous value.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - areSame: Returns whether two values count as equal: the last value that was sent, and the new value.
  ///     If the closure is isolated to an actor, a call off that actor is flagged (E9).
  @inlinable public func removeDuplicates(
    fileID: StaticString = #fileID, line: UInt = #line,
    by areSame: @escaping @isolated(any) (_ last: Value, _ new: Value) -> Bool
  ) -> Observable<Value> {
    removeDuplicates(isolationChecked(areSame, of: publicType, at: CallSite(fileID: fileID, line: line)))
  }

  @inlinable func removeDuplicates(_ areSame: @escaping (Value, Value) -> Bool) -> Observable<Value> {
    lift { downstream in
      // The value is in a box, because each access to a variable is checked at run time for overlapping
      // accesses. Accesses cannot overlap, because a subscription receives one value at a time.
      let last = Box<Value>()
      return Observer(before: downstream) { value in
        if case .some(let last) = last.value, areSame(last, value) { return }
        last.value = value
        downstream.next(value)
      }
    }
  }
}

extension Observable where Value: Equatable {
  /// Returns the values of this observable, without values that equal the previous value.
  @inlinable public func removeDuplicates() -> Observable<Value> {
    removeDuplicates(==)
  }
}
