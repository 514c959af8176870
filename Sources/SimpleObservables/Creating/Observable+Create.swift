internal import SimpleEvents

extension Observable {
  /// Returns an observable whose closure connects each subscriber to a source of any kind.
  ///
  /// The closure runs once for each subscriber, and returns a second closure. The second closure runs once,
  /// when the subscription is removed or the sequence ends. The source is therefore connected only while
  /// there are subscribers:
  ///
  /// ```swift
  /// let locations = Observable.create { observer in
  ///   let id = tracker.addHandler { location in observer.next(location) }
  ///   return { tracker.removeHandler(id) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - connect: Connects the observer to the source on the thread that subscribes, and returns a closure
  ///     that disconnects the observer. The source may send values before `connect` returns. If there is
  ///     nothing to disconnect, `connect` returns an empty closure. If one of the closures is isolated to an
  ///     actor, a call off that actor is flagged (E9).
  public static func create(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @isolated(any) (_ observer: Observer<Value>) -> @isolated(any) () -> Void
  ) -> Observable<Value> {
    let site = CallSite(fileID: fileID, line: line)
    let connect = isolationChecked(connect, of: Observable<Value>.self, at: site)
    return Operator { downstream in
      let observer = CombiningObserver<Value, Value>(
        downstream, sources: 1, conflates: downstream.conflates, receive: downstream.onNext
      ).observer(number: 0)
      guard observer.isActive else { return }
      let disconnect = connect(observer)
      observer.subscription.add(
        token: Disposable(plain: isolationChecked(disconnect, of: Observable<Value>.self, at: site)))
    }
  }

  /// Returns an observable that sends one value to each subscriber, and finishes.
  ///
  /// - Parameter value: The value to send.
  public static func just(_ value: Value) -> Observable<Value> {
    Operator { observer in
      observer.next(value)
      observer.finish()
    }
  }

  /// Returns an observable that fails for each subscriber.
  ///
  /// - Parameter error: The error to send.
  public static func fail(_ error: any Error) -> Observable<Value> {
    Operator { observer in observer.fail(error) }
  }

  /// Returns an observable that finishes without a value.
  public static func empty() -> Observable<Value> {
    Operator { observer in observer.finish() }
  }
}
