extension Observable {
  /// Returns the values of this observable, each with the previous value.
  ///
  /// - Returns: Pairs of a value and the value that the same subscriber received before it. The previous
  ///   value is nil in the first pair.
  @inlinable public func withPrevious() -> Observable<(value: Value, oldValue: Value?)> {
    lift { downstream in
      var last: Value?
      return Observer(before: downstream) { value in
        let oldValue = last
        last = value
        downstream.onNext((value, oldValue))
      }
    }
  }
}
