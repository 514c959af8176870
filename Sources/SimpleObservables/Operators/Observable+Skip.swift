extension Observable {
  /// Returns the values of this observable without the first ones.
  ///
  /// - Parameter count: The number of values to skip, counted for each subscriber.
  public func skip(_ count: Int) -> Observable<Value> {
    lift { downstream in
      var left = count
      return Observer(before: downstream) { value in
        if left > 0 {
          left -= 1
        } else {
          downstream.onNext(value)
        }
      }
    }
  }
}
