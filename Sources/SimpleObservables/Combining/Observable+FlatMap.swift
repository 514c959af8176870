internal import SimpleEvents

extension Observable {
  /// Returns the values of all observables that a function returns for the values of this one.
  ///
  /// The sequence finishes when this observable and all returned observables have finished. It fails when one
  /// of them fails.
  ///
  /// A source that sends in its own closure until its observer is no longer active does not end if it is
  /// connected during a delivery of the sequence, because its values are then queued.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - transform: Returns the observable for a value. Called with each value, once for each subscriber. If
  ///     it is isolated to an actor, a call off that actor is flagged (E9).
  public func flatMap<Output>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @isolated(any) (_ value: Value) -> Observable<Output>
  ) -> Observable<Output> {
    inner(.merged, isolationChecked(transform, of: publicType, at: CallSite(fileID: fileID, line: line)))
  }

  /// Returns the values of the newest observable that a function has returned for a value of this one.
  ///
  /// Each value of this observable removes the subscription to the observable of the previous value. The
  /// sequence finishes when this observable and the newest returned observable have finished.
  ///
  /// A source that sends in its own closure until its observer is no longer active does not end if it is
  /// connected during a delivery of the sequence, because its values are then queued.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - transform: Returns the observable for a value. Called with each value, once for each subscriber. If
  ///     it is isolated to an actor, a call off that actor is flagged (E9).
  public func flatMapLatest<Output>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @isolated(any) (_ value: Value) -> Observable<Output>
  ) -> Observable<Output> {
    inner(.newest, isolationChecked(transform, of: publicType, at: CallSite(fileID: fileID, line: line)))
  }

  /// Returns the values of the observables that a function returns for the values of this one, connected in a
  /// given order.
  final func inner<Output>(
    _ order: InnerOrder, _ transform: @escaping (Value) -> Observable<Output>
  ) -> Observable<Output> {
    Operator { [self] downstream in InnerObservables(downstream, order: order).connect(self, transform) }
  }
}
