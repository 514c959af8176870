internal import SimpleEvents

extension Observable {
  /// Returns the values of two observables in pairs: first with first, second with second.
  ///
  /// The sequence finishes when a source has finished and all values of that source have been paired. It
  /// fails when one of the sources fails.
  ///
  /// The values of the source that is ahead are kept for their partners, at most as many as the limit. If
  /// there is one more value, the sequence fails with ``ZipOverflowError``: if a value were dropped instead,
  /// all later pairs would be wrong.
  ///
  /// - Parameters:
  ///   - first: The observable that is subscribed to first. If it replays values, it can send all of them
  ///     before the second observable is subscribed to.
  ///   - second: The observable that is subscribed to second.
  ///   - limit: The number of values by which one source may be ahead of the other.
  public static func zip<Second>(
    _ first: Observable<Value>, _ second: Observable<Second>, limit: Int = 16_384
  ) -> Observable<(Value, Second)> {
    Operator<(Value, Second)> { downstream in
      var firsts = Fifo<Value>()
      var seconds = Fifo<Second>()
      var finished: Int?
      // Only the source that is ahead has values without partners. If the finished source has no such value,
      // no further pair is possible.
      func isOver() -> Bool { finished == 0 && firsts.isEmpty || finished == 1 && seconds.isEmpty }
      let observer = CombiningObserver<Either<Value, Second>, (Value, Second)>(
        downstream, sources: 2,
        endsAfter: { number in
          finished = number
          return isOver()
        },
        receive: { input in
          switch input {
          case .first(let value): firsts.append(value)
          case .second(let value): seconds.append(value)
          }
          guard firsts.isEmpty || seconds.isEmpty else {
            downstream.next((firsts.popFirst()!, seconds.popFirst()!))
            if isOver() { downstream.finish() }
            return
          }
          if max(firsts.count, seconds.count) > limit {
            downstream.fail(ZipOverflowError(limit: limit))
          }
        })
      observer.connect(first, number: 0) { .first($0) }
      observer.connect(second, number: 1) { .second($0) }
    }
  }
}

/// The error of a zip in which one source is too far ahead of the other source.
public struct ZipOverflowError: Error, Sendable, Hashable {
  /// The largest number of values that are kept.
  public let limit: Int

  /// Creates the error.
  ///
  /// - Parameter limit: The largest number of values that are kept.
  public init(limit: Int) {
    self.limit = limit
  }
}

extension ZipOverflowError: CustomStringConvertible {
  /// A description of the error and its remedies.
  public var description: String {
    """
    One source of a zip is more than \(limit) values ahead of the other. Pass a larger limit, or drop values \
    before the zip, for example with throttle.
    """
  }
}
