public import SimpleEvents

extension Observable {
  /// Returns the results, except nil, of a function that is called with each value of this observable.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - transform: Returns the result for a value. Called with each value, once for each subscriber. If the
  ///     closure is isolated to an actor, a call off that actor is flagged (E9).
  @inlinable public func compactMap<Output>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @isolated(any) (_ value: Value) -> Output?
  ) -> Observable<Output> {
    let transform = isolationChecked(transform, of: publicType, at: CallSite(fileID: fileID, line: line))
    return lift { downstream in
      Observer(before: downstream) { value in
        if case .some(let output) = transform(value) { downstream.next(output) }
      }
    }
  }
}
