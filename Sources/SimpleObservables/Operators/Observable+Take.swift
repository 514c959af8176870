extension Observable {
  /// Returns the first values of this observable, and then the end.
  ///
  /// - Parameter count: The number of values, counted for each subscriber. If it is zero or less, the
  ///   sequence finishes immediately, without a subscription to the source.
  public func take(_ count: Int) -> Observable<Value> {
    guard count > 0 else { return .empty() }
    return lift { downstream in
      var left = count
      return Observer(before: downstream) { value in
        left -= 1
        downstream.onNext(value)
        if left == 0 {
          downstream.finish()
        }
      }
    }
  }
}
