extension Observable {
  /// The values of several observables, as they come.
  ///
  /// Finishes when all have, and fails with the first that does.
  ///
  /// - Parameter sources: Subscribed to in order; none at all finishes at once.
  public static func merge(_ sources: [Observable<Value>]) -> Observable<Value> {
    Observable { downstream in
      let junction = Junction<Value, Value>(downstream, count: sources.count) { downstream.next($0) }
      for (number, source) in sources.enumerated() {
        junction.connect(source, number: number) { $0 }
      }
    }
  }

  /// The values of several observables, as they come.
  ///
  /// Finishes when all have, and fails with the first that does.
  ///
  /// - Parameter sources: Subscribed to in order.
  public static func merge(_ sources: Observable<Value>...) -> Observable<Value> {
    merge(sources)
  }
}
