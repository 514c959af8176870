internal import SimpleEvents

extension Observable {
  /// The values of all observables that a function returns for the values of this one, one observable after
  /// the other.
  ///
  /// The next observable is connected when the one before has finished. Finishes when this observable and all
  /// that the function returned have finished. Fails with the first of them that fails. Observables that are
  /// not connected yet are kept, without a limit: if this one may send values faster than the others finish,
  /// place an operator with a policy before it.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - transform: Called with each value when it is sent, once for each subscriber. If it is isolated to an
  ///     actor, a call off that actor is flagged (E9).
  public func concatMap<Output>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @isolated(any) (_ value: Value) -> Observable<Output>
  ) -> Observable<Output> {
    inner(
      .concatenated, isolationChecked(transform, of: publicType, at: CallSite(fileID: fileID, line: line)))
  }
}
