extension Observable {
  /// Returns the values of several observables in one sequence, each with the index of its source.
  ///
  /// The sequence finishes when all observables have finished, and fails when one of them fails.
  ///
  /// - Parameter sources: The observables, which are subscribed to in order. Without sources, the sequence
  ///   finishes immediately.
  @inlinable public static func mergeIndexed(
    _ sources: [Observable<Value>]
  ) -> Observable<(index: Int, value: Value)> {
    Operator<(index: Int, value: Value)> { downstream in
      let observer = CombiningObserver<(index: Int, value: Value), (index: Int, value: Value)>(
        downstream, sources: sources.count, conflates: downstream.conflates, receive: downstream.onNext)
      for (index, source) in sources.enumerated() {
        observer.connect(source, number: index) { (index, $0) }
      }
    }
  }
}
