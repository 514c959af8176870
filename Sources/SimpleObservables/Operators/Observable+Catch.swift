internal import SimpleEvents

extension Observable {
  /// Returns the values of this observable, and after an error the values of another observable.
  ///
  /// ```swift
  /// let titles = remote.catch { error in .just("offline") }
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - handler: Returns the observable that continues after an error. Called with the error, once for each
  ///     subscriber. If the closure is isolated to an actor, a call off that actor is flagged (E9).
  public func `catch`(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @isolated(any) (_ error: any Error) -> Observable<Value>
  ) -> Observable<Value> {
    let handler = isolationChecked(handler, of: publicType, at: CallSite(fileID: fileID, line: line))
    return Operator { [self] downstream in
      let upstream = Subscription()
      downstream.subscription.add(upstream)
      let connections = ActionQueue()
      connections.submit { [self] in
        connect(
          downstream.under(upstream) { completion in
            guard case .failed(let error) = completion else { return downstream.end(completion) }
            let next = handler(error)
            upstream.disconnect()
            downstream.subscription.drop(upstream)
            // If the source fails while it is being connected, the current step also disconnects it. The next
            // observable is connected after that step.
            connections.submit { next.connect(downstream) }
          })
      }
    }
  }
}
