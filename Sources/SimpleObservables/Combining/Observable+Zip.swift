extension Observable {
  /// The values of two observables in pairs: first with first, second with second.
  ///
  /// Finishes as soon as no further pair is possible: when a source has finished and all its values have
  /// been paired. Fails with the first source that does.
  ///
  /// Values of the source that is ahead wait for the other one. So that a source that has fallen silent
  /// does not make memory grow for ever, only so many may wait: one more, and the sequence fails with
  /// ``ZipOverflow``, since to drop a value would pair the others wrongly.
  ///
  /// - Parameters:
  ///   - first: Subscribed to first.
  ///   - second: Subscribed to second.
  ///   - limit: How many values one source may be ahead of the other.
  public static func zip<Second>(
    _ first: Observable<Value>, _ second: Observable<Second>, limit: Int = 1024
  ) -> Observable<(Value, Second)> {
    Observable<(Value, Second)> { downstream in
      var firsts = Fifo<Value>()
      var seconds = Fifo<Second>()
      var finished: Int?
      // One line of values waits at the most. Where the source that has finished has none, that is the end.
      func finishIfNothingIsLeft() {
        if finished == 0 && firsts.isEmpty || finished == 1 && seconds.isEmpty {
          downstream.finish()
        }
      }
      let junction = Junction<Either<Value, Second>, (Value, Second)>(
        downstream, count: 2,
        sourceFinished: { number in
          finished = number
          finishIfNothingIsLeft()
        },
        receive: { input in
          switch input {
          case .first(let value): firsts.append(value)
          case .second(let value): seconds.append(value)
          }
          guard firsts.isEmpty || seconds.isEmpty else {
            downstream.next((firsts.popFirst()!, seconds.popFirst()!))
            return finishIfNothingIsLeft()
          }
          if max(firsts.count, seconds.count) > limit {
            downstream.fail(ZipOverflow(limit: limit))
          }
        })
      junction.connect(first, number: 0) { .first($0) }
      junction.connect(second, number: 1) { .second($0) }
    }
  }
}

/// What a zip fails with when one of its sources gets too far ahead of the other.
public struct ZipOverflow: Error, Sendable, Hashable {
  /// How many values were allowed to wait.
  public let limit: Int

  /// Creates the error.
  public init(limit: Int) {
    self.limit = limit
  }
}
