extension Observable {
  /// The values of this observable that satisfy a condition.
  ///
  /// - Parameter isIncluded: Called with each value, once for each subscriber.
  @inlinable
  public func filter(_ isIncluded: @escaping (Value) -> Bool) -> Observable<Value> {
    lift { downstream in
      Observer(before: downstream) { value in
        if isIncluded(value) {
          downstream.next(value)
        }
      }
    }
  }
}
