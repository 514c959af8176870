extension Observable {
  /// The newest values of two observables together, each time that one of them has a new one.
  ///
  /// Starts when both have a value, finishes when both have finished, and fails with the first that does.
  /// When one change makes both sources emit, each of them counts: there is a pair in between.
  ///
  /// - Parameters:
  ///   - first: Subscribed to first.
  ///   - second: Subscribed to second.
  public static func combineLatest<Second>(
    _ first: Observable<Value>, _ second: Observable<Second>
  ) -> Observable<(Value, Second)> {
    Observable<(Value, Second)> { downstream in
      var newest: (first: Value?, second: Second?) = (nil, nil)
      let junction = Junction<Either<Value, Second>, (Value, Second)>(downstream, count: 2) { input in
        switch input {
        case .first(let value): newest.first = .some(value)
        case .second(let value): newest.second = .some(value)
        }
        if case (.some(let first), .some(let second)) = newest {
          downstream.next((first, second))
        }
      }
      junction.connect(first, number: 0) { .first($0) }
      junction.connect(second, number: 1) { .second($0) }
    }
  }

  /// The newest values of three observables together, each time that one of them has a new one.
  ///
  /// Starts when all have a value, finishes when all have finished, and fails with the first that does.
  public static func combineLatest<Second, Third>(
    _ first: Observable<Value>, _ second: Observable<Second>, _ third: Observable<Third>
  ) -> Observable<(Value, Second, Third)> {
    Observable<(Value, Second)>.combineLatest(combineLatest(first, second), third)
      .map { pair, third in (pair.0, pair.1, third) }
  }

  /// The newest values of four observables together, each time that one of them has a new one.
  ///
  /// Starts when all have a value, finishes when all have finished, and fails with the first that does.
  public static func combineLatest<Second, Third, Fourth>(
    _ first: Observable<Value>, _ second: Observable<Second>, _ third: Observable<Third>,
    _ fourth: Observable<Fourth>
  ) -> Observable<(Value, Second, Third, Fourth)> {
    Observable<(Value, Second, Third)>.combineLatest(combineLatest(first, second, third), fourth)
      .map { triple, fourth in (triple.0, triple.1, triple.2, fourth) }
  }

  /// The newest values of any number of observables, each time that one of them has a new one.
  ///
  /// Starts when all have a value, finishes when all have finished, and fails with the first that does.
  ///
  /// - Parameter sources: Subscribed to in order; none at all finishes at once.
  public static func combineLatest(_ sources: [Observable<Value>]) -> Observable<[Value]> {
    Observable<[Value]> { downstream in
      var newest: [Value?] = Array(repeating: .none, count: sources.count)
      var missing = sources.count
      let junction = Junction<(Int, Value), [Value]>(downstream, count: sources.count) { number, value in
        if case .none = newest[number] {
          missing -= 1
        }
        newest[number] = .some(value)
        if missing == 0 {
          downstream.next(newest.map { $0! })
        }
      }
      for (number, source) in sources.enumerated() {
        junction.connect(source, number: number) { (number, $0) }
      }
    }
  }
}

/// A value of one of two sources.
enum Either<First, Second> {
  case first(First)
  case second(Second)
}
