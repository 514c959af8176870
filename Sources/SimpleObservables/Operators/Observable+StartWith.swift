extension Observable {
  /// Some values, and after them the values of this observable.
  ///
  /// - Parameter values: Sent to each subscriber before the subscription to this observable.
  public func startWith(_ values: Value...) -> Observable<Value> {
    Operator { [self] downstream in
      for value in values { downstream.next(value) }
      connect(downstream)
    }
  }
}
