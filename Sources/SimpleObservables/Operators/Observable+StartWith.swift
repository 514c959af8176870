extension Observable {
  /// Returns some values, and after them the values of this observable.
  ///
  /// - Parameter values: The values that are sent to each subscriber before the subscription to this
  ///   observable.
  public func startWith(_ values: Value...) -> Observable<Value> {
    Operator { [self] downstream in
      for value in values { downstream.next(value) }
      connect(downstream)
    }
  }
}
