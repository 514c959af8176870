extension Observable {
  /// Returns the values of several observables in one sequence, in the order in which they are sent.
  ///
  /// The sequence finishes when all observables have finished, and fails when one of them fails.
  ///
  /// - Parameter sources: The observables, which are subscribed to in order. Without sources, the sequence
  ///   finishes immediately.
  @inlinable public static func merge(_ sources: [Observable<Value>]) -> Observable<Value> {
    Operator { downstream in
      let observer = CombiningObserver<Value, Value>(
        downstream, sources: sources.count, conflates: downstream.conflates, receive: downstream.onNext)
      for (number, source) in sources.enumerated() { source.connect(observer.observer(number: number)) }
    }
  }

  /// Returns the values of several observables in one sequence, in the order in which they are sent.
  ///
  /// The sequence finishes when all observables have finished, and fails when one of them fails.
  ///
  /// - Parameter sources: The observables, which are subscribed to in order.
  @inlinable public static func merge(_ sources: Observable<Value>...) -> Observable<Value> {
    merge(sources)
  }
}
