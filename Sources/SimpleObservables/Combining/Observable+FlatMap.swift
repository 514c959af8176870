internal import SimpleEvents

extension Observable {
  /// Maps each value to an observable, and returns the values of all these observables in one sequence.
  ///
  /// The sequence finishes when this observable and all returned observables have finished. It fails when one
  /// of them fails.
  ///
  /// If a source is connected during a delivery of the sequence, the values that it sends in its `create`
  /// closure are queued. In this case, the closure does not return if it sends until its observer is no
  /// longer active.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - transform: Returns the observable for a value. Called with each value, once for each subscriber. If
  ///     the closure is isolated to an actor, a call off that actor is flagged (E9).
  public func flatMap<Output>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @isolated(any) (_ value: Value) -> Observable<Output>
  ) -> Observable<Output> {
    inner(.merged, isolationChecked(transform, of: publicType, at: CallSite(fileID: fileID, line: line)))
  }

  /// Maps each value to an observable, and returns the values of the newest of these observables.
  ///
  /// Each value of this observable removes the subscription to the observable of the previous value. The
  /// sequence finishes when this observable and the newest returned observable have finished.
  ///
  /// If a source is connected during a delivery of the sequence, the values that it sends in its `create`
  /// closure are queued. In this case, the closure does not return if it sends until its observer is no
  /// longer active.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - transform: Returns the observable for a value. Called with each value, once for each subscriber. If
  ///     the closure is isolated to an actor, a call off that actor is flagged (E9).
  public func flatMapLatest<Output>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @isolated(any) (_ value: Value) -> Observable<Output>
  ) -> Observable<Output> {
    inner(.newest, isolationChecked(transform, of: publicType, at: CallSite(fileID: fileID, line: line)))
  }

  /// Maps each value to an observable, and returns the values of these observables. The order says how they
  /// are connected.
  final func inner<Output>(
    _ order: InnerOrder, _ transform: @escaping (Value) -> Observable<Output>
  ) -> Observable<Output> {
    Operator { [self] downstream in InnerObservables(downstream, order: order).connect(self, transform) }
  }
}
