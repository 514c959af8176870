internal import SimpleEvents

extension Observable {
  /// An observable made of a closure that connects to any kind of source.
  ///
  /// The closure runs once for each subscriber, and what it returns once when that goes or the sequence
  /// ends, so nothing is connected while nobody listens:
  ///
  /// ```swift
  /// let locations = Observable.create { observer in
  ///   let id = tracker.addHandler { location in observer.next(location) }
  ///   return { tracker.removeHandler(id) }
  /// }
  /// ```
  ///
  /// - Parameter connect: Connects the observer to the source, and returns what disconnects it. It may tell
  ///   values before it returns. A source with nothing to disconnect returns an empty closure.
  public static func create(
    _ connect: @escaping (_ observer: Observer<Value>) -> (() -> Void)
  ) -> Observable<Value> {
    Observable { downstream in
      let line = SerialLine<Signal<Value>>()
      let upstream = Subscription()
      downstream.subscription.add(upstream)
      let disconnect = connect(
        Observer(
          upstream,
          onNext: { line.submit(.next($0), to: downstream.accept) },
          onEnd: { line.submit(.end($0), to: downstream.accept) }))
      upstream.add(Disposable(disconnect))
    }
  }

  /// An observable that tells each subscriber one value, and finishes.
  public static func just(_ value: Value) -> Observable<Value> {
    Observable { observer in
      observer.next(value)
      observer.finish()
    }
  }

  /// An observable that tells each subscriber an error.
  public static func fail(_ error: any Error) -> Observable<Value> {
    Observable { observer in observer.fail(error) }
  }

  /// An observable that finishes without a value.
  public static func empty() -> Observable<Value> {
    Observable { observer in observer.finish() }
  }
}
