extension Observable {
  /// Returns the newest values of two observables, sent when one of them has a new value.
  ///
  /// The first pair is sent when both sources have a value. The sequence finishes when both have finished,
  /// and fails when one of them fails. If one change makes both sources send, two pairs are sent, and the
  /// first pair contains an old value. Write `Observable.combineLatest(a, b)` in an argument, and before an
  /// operator that changes the type, such as `map`. A leading dot takes the type of the parameter or of the
  /// whole chain.
  ///
  /// - Parameters:
  ///   - first: The observable that is subscribed to first.
  ///   - second: The observable that is subscribed to second.
  @inlinable public static func combineLatest<Second>(
    _ first: Observable<Value>, _ second: Observable<Second>
  ) -> Observable<(Value, Second)> {
    Operator<(Value, Second)> { downstream in
      let newest = (first: Box<Value>(), second: Box<Second>())
      let observer = CombiningObserver<Either<Value, Second>, (Value, Second)>(downstream, sources: 2) {
        input in
        switch input {
        case .first(let value): newest.first.value = .some(value)
        case .second(let value): newest.second.value = .some(value)
        }
        if case (.some(let first), .some(let second)) = (newest.first.value, newest.second.value) {
          // The release of the previous value may have removed the subscriber, so this calls `next` and not
          // `onNext`.
          downstream.next((first, second))
        }
      }
      observer.connect(first, number: 0) { .first($0) }
      observer.connect(second, number: 1) { .second($0) }
    }
  }

  /// Returns the newest values of three observables, sent when one of them has a new value.
  ///
  /// The first values are sent when every source has a value. The sequence finishes when all sources have
  /// finished, and fails when one of them fails.
  @inlinable public static func combineLatest<Second, Third>(
    _ first: Observable<Value>, _ second: Observable<Second>, _ third: Observable<Third>
  ) -> Observable<(Value, Second, Third)> {
    Observable<(Value, Second)>.combineLatest(combineLatest(first, second), third)
      .map { pair, third in (pair.0, pair.1, third) }
  }

  /// Returns the newest values of four observables, sent when one of them has a new value.
  ///
  /// The first values are sent when every source has a value. The sequence finishes when all sources have
  /// finished, and fails when one of them fails.
  ///
  /// To combine more than four observables of different types, pass a combination as an argument:
  /// `Observable.combineLatest(a, b, c, Observable.combineLatest(d, e))`. The inner pair is one parameter of
  /// the closure of `map`.
  @inlinable public static func combineLatest<Second, Third, Fourth>(
    _ first: Observable<Value>, _ second: Observable<Second>, _ third: Observable<Third>,
    _ fourth: Observable<Fourth>
  ) -> Observable<(Value, Second, Third, Fourth)> {
    Observable<(Value, Second, Third)>.combineLatest(combineLatest(first, second, third), fourth)
      .map { triple, fourth in (triple.0, triple.1, triple.2, fourth) }
  }

  /// Returns the newest values of any number of observables, sent when one of them has a new value.
  ///
  /// The first values are sent when every source has a value. The sequence finishes when all sources have
  /// finished, and fails when one of them fails.
  ///
  /// - Parameter sources: The observables, which are subscribed to in order. Without sources, the sequence
  ///   finishes immediately.
  @inlinable public static func combineLatest(_ sources: [Observable<Value>]) -> Observable<[Value]> {
    Operator<[Value]> { downstream in
      let newest = LatestValues<Value>(count: sources.count)
      let observer = CombiningObserver<(Int, Value), [Value]>(downstream, sources: sources.count) {
        number, value in
        if newest.set(value, at: number) { downstream.next(newest.values) }
      }
      for (number, source) in sources.enumerated() {
        observer.connect(source, number: number) { (number, $0) }
      }
    }
  }
}

/// The newest value of each of several sources.
///
/// The values are optional until every source has sent one. From then on, each new value changes one element
/// of an array.
@usableFromInline final class LatestValues<Value> {
  // SAFETY: the steps of a queue use these properties, one at a time, and each access has ended before other
  // code runs. A check of this at run time would cost as much as the delivery.
  @exclusivity(unchecked) private var partial: [Value?]
  @exclusivity(unchecked) private var missing: Int
  @exclusivity(unchecked) @usableFromInline var storage: [Value] = []

  @usableFromInline init(count: Int) {
    unsafe partial = Array(repeating: .none, count: count)
    unsafe missing = count
  }

  /// The values after every source has sent one; empty before that.
  @inlinable var values: [Value] { unsafe storage }

  /// Stores a value; returns whether every source has sent one.
  @inlinable func set(_ value: Value, at index: Int) -> Bool {
    guard unsafe !storage.isEmpty else { return setFirst(value, at: index) }
    unsafe storage[index] = value
    return true
  }

  @usableFromInline func setFirst(_ value: Value, at index: Int) -> Bool {
    if case .none = unsafe partial[index] { unsafe missing -= 1 }
    unsafe partial[index] = .some(value)
    guard unsafe missing == 0 else { return false }
    unsafe storage = partial.map { $0! }
    unsafe partial = []
    return true
  }
}
