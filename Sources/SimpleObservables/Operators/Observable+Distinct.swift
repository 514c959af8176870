public import SimpleEvents

extension Observable {
  /// The values of this observable that differ from the one before.
  ///
  /// - Parameter areSame: Whether two values that follow each other count as the same: the last one that
  ///   was passed on, and the new one.
  @inlinable
  public func distinct(by areSame: @escaping (Value, Value) -> Bool) -> Observable<Value> {
    lift { downstream in
      var last: Value?
      return Observer(before: downstream) { value in
        if case .some(let last) = last, areSame(last, value) { return }
        last = value
        downstream.onNext(value)
      }
    }
  }

  /// Calls a closure with the values that pass a filter, and the one that it was called with before.
  ///
  /// - Parameters:
  ///   - filter: Called with each value and the one before it, whether that has passed or not; nil the
  ///     first time.
  ///   - onChange: Called with each value that passes, and the last one that has; nil the first time.
  /// - Returns: The token. The subscription ends when it is removed or let go.
  @inlinable
  public func subscribe(
    filter: @escaping (_ value: Value, _ oldValue: Value?) -> Bool,
    _ onChange: @escaping (_ value: Value, _ oldValue: Value?) -> Void
  ) -> any SimpleEventToken {
    withPrevious().filter { filter($0.value, $0.oldValue) }.map { $0.value }.subscribe(onChange)
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
  /// - Parameter onChange: Called with the new value and the old one, which is nil the first time.
  /// - Returns: The token. The subscription ends when it is removed or let go.
  @inlinable
  public func subscribeDistinct(
    _ onChange: @escaping (_ value: Value, _ oldValue: Value?) -> Void
  ) -> any SimpleEventToken {
    distinct().subscribe(onChange)
  }
}
