internal import SimpleEvents

extension Observable {
  /// Maps each value to an observable, and returns the values of these observables, one observable at a time.
  ///
  /// The next observable is connected when the previous one has finished. The sequence finishes when this
  /// observable and all returned observables have finished. It fails when one of them fails.
  /// Observables that are not connected yet are queued without a limit. If this observable may send values
  /// faster than the returned observables finish, place an operator with a policy before `concatMap`.
  ///
  /// If an observable had to wait for the previous one, the values that it sends while it is being connected
  /// are queued until it is connected. In this case, a `create` closure does not return if it sends until its
  /// observer is no longer active.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - transform: Returns the observable for a value. Called with each value when it is sent, once for each
  ///     subscriber. If the closure is isolated to an actor, a call off that actor is flagged (E9).
  public func concatMap<Output>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @isolated(any) (_ value: Value) -> Observable<Output>
  ) -> Observable<Output> {
    inner(
      .concatenated, isolationChecked(transform, of: publicType, at: CallSite(fileID: fileID, line: line)))
  }
}
