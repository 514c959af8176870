public import SimpleEvents

extension Observable {
  /// Returns the results of a function that is called with its last result and each value of this observable.
  ///
  /// ```swift
  /// let total = prices.scan(0) { total, price in total + price }
  /// ```
  ///
  /// - Parameters:
  ///   - initial: The first argument of the first call, for each subscriber. It is not sent.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - combine: Returns the next result. Called with the last result and each value, once for each
  ///     subscriber. If the closure is isolated to an actor, a call off that actor is flagged (E9).
  @inlinable public func scan<Output>(
    _ initial: Output, fileID: StaticString = #fileID, line: UInt = #line,
    _ combine: @escaping @isolated(any) (_ last: Output, _ value: Value) -> Output
  ) -> Observable<Output> {
    let combine = isolationChecked(combine, of: publicType, at: CallSite(fileID: fileID, line: line))
    return lift { downstream in
      let last = Box<Output>()
      last.value = .some(initial)
      return Observer(before: downstream) { value in
        let output = combine(last.value!, value)
        last.value = .some(output)
        downstream.next(output)
      }
    }
  }
}
