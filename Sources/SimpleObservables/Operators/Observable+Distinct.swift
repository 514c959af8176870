public import SimpleEvents

extension Observable {
  /// The values of this observable that differ from the one before.
  ///
  /// - Parameter areSame: Whether two values that follow each other count as the same: the last one that
  ///   was passed on, and the new one.
  @inlinable
  public func distinct(by areSame: @escaping (Value, Value) -> Bool) -> Observable<Value> {
    lift { downstream in
      // A slot and no variable, which would be checked for overlapping accesses with each value. There are
      // none, since a subscription is told one value at a time and nobody else reaches the slot.
      let last = Slot<Value>()
      return Observer(before: downstream) { value in
        if case .some(let last) = last.value, areSame(last, value) { return }
        last.value = value
        downstream.next(value)
      }
    }
  }

  /// Calls a closure with the values that pass a filter, and the one that it was called with before.
  ///
  /// - Parameters:
  ///   - filter: Called with each value and the one before it, whether that has passed or not; nil the
  ///     first time.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - onChange: Called with each value that passes, and the last one that has; nil the first time. If a
  ///     closure is isolated to an actor, a call off that actor is flagged (E9).
  /// - Returns: The token. The subscription ends when it is removed or let go.
  @inlinable
  public func subscribe(
    filter: @escaping @isolated(any) (_ value: Value, _ oldValue: Value?) -> Bool,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ onChange: @escaping @isolated(any) (_ value: Value, _ oldValue: Value?) -> Void
  ) -> any SimpleEventToken {
    let site = CallSite(fileID: fileID, line: line)
    let isIncluded = stored(filter, at: site)
    return withPrevious().filter { isIncluded($0.value, $0.oldValue) }.map { $0.value }
      .subscribe(change: stored(onChange, at: site))
  }
}

extension Observable where Value: Equatable {
  /// The values of this observable that differ from the one before.
  @inlinable
  public func distinct() -> Observable<Value> {
    distinct(by: ==)
  }

  /// Calls a closure with each value that differs from the one before, and that one.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - onChange: Called with the new value and the old one, which is nil the first time. If it is isolated
  ///     to an actor, a call off that actor is flagged (E9).
  /// - Returns: The token. The subscription ends when it is removed or let go.
  @inlinable
  public func subscribeDistinct(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ onChange: @escaping @isolated(any) (_ value: Value, _ oldValue: Value?) -> Void
  ) -> any SimpleEventToken {
    distinct().subscribe(change: stored(onChange, at: CallSite(fileID: fileID, line: line)))
  }
}
