extension Observable {
  /// The values of several observables in one sequence, in the order in which they are sent.
  ///
  /// Finishes when all have finished, and fails with the first that fails.
  ///
  /// - Parameter sources: Subscribed to in order. Without sources, the sequence finishes at once.
  @inlinable
  public static func merge(_ sources: [Observable<Value>]) -> Observable<Value> {
    Operator { downstream in
      let relay = Relay(downstream, sources: sources.count)
      for source in sources {
        guard let observer = relay.open() else { return }
        source.connect(observer)
      }
    }
  }

  /// The values of several observables in one sequence, in the order in which they are sent.
  ///
  /// Finishes when all have finished, and fails with the first that fails.
  ///
  /// - Parameter sources: Subscribed to in order.
  @inlinable
  public static func merge(_ sources: Observable<Value>...) -> Observable<Value> {
    merge(sources)
  }
}
