extension Observable {
  /// Returns the values of this observable, each with the newest value of another observable.
  ///
  /// A value that is sent before the other observable has a value is dropped. The sequence finishes when this
  /// observable finishes, and fails when one of the two observables fails.
  ///
  /// - Parameter other: The other observable. It is subscribed to first, so that a value that it replays is
  ///   known before the first value of this observable.
  @inlinable public func withLatestFrom<Other>(_ other: Observable<Other>) -> Observable<(Value, Other)> {
    Operator<(Value, Other)> { [self] downstream in
      let newest = Box<Other>()
      let observer = CombiningObserver<Either<Value, Other>, (Value, Other)>(
        downstream, sources: 2, endsAfter: { $0 == 0 }
      ) { input in
        switch input {
        case .first(let value):
          if case .some(let other) = newest.value { downstream.onNext((value, other)) }
        case .second(let other): newest.value = .some(other)
        }
      }
      observer.connect(other, number: 1) { .second($0) }
      observer.connect(self, number: 0) { .first($0) }
    }
  }
}
