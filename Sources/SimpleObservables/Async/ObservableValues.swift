internal import SimpleEvents

extension Observable where Value: Sendable {
  /// The values from now on as an asynchronous sequence: the newest one each time it is asked.
  ///
  /// ```swift
  /// for try await title in model.title.values {
  ///   await render(title)  // titles that come meanwhile are left out, save for the last
  /// }
  /// ```
  ///
  /// See ``values(_:)``.
  public var values: ObservableValues<Value> {
    values(.latest)
  }

  /// The values from now on as an asynchronous sequence.
  ///
  /// Each iteration subscribes anew, and ends when this observable finishes, throws when it fails, and ends
  /// when its task is cancelled. The subscription goes with it.
  ///
  /// - Parameter backlog: Which values wait while the loop is busy with another one.
  public func values(_ backlog: Backlog) -> ObservableValues<Value> {
    ObservableValues(source: self, backlog: backlog)
  }

  /// Waits for the first value.
  ///
  /// - Returns: The value; nil if the sequence finishes without one.
  /// - Throws: The error of the sequence, or `CancellationError` when the task is cancelled.
  public func first() async throws -> Value? {
    for try await value in take(1).values {
      return value
    }
    try Task.checkCancellation()
    return nil
  }

  /// Waits for the first value, and returns it, or the error, as a result.
  ///
  /// - Returns: The value; nil if the sequence finishes without one. The error of the sequence, or
  ///   `CancellationError` when the task is cancelled.
  public func firstResult() async -> Result<Value?, any Error> {
    do {
      return .success(try await first())
    } catch {
      return .failure(error)
    }
  }
}

/// The values of an observable as an asynchronous sequence. See ``Observable/values(_:)``.
public struct ObservableValues<Value: Sendable>: AsyncSequence, Sendable {
  /// What the sequence consists of.
  public typealias Element = Value
  /// What it may throw.
  public typealias Failure = any Error

  let source: Observable<Value>
  let backlog: Backlog

  /// Subscribes to the observable.
  public func makeAsyncIterator() -> Iterator {
    let stream = AsyncThrowingStream<Value, any Error>(bufferingPolicy: backlog.bufferingPolicy()) { stream in
      let subscription = Subscription()
      // Cancellation, the end, and the loss of the iterator all come by here.
      stream.onTermination = { _ in subscription.remove() }
      source.connect(
        Observer(
          subscription,
          onNext: { stream.yield($0) },
          onEnd: { completion in
            switch completion {
            case .finished: stream.finish()
            case .failed(let error): stream.finish(throwing: error)
            }
          }))
    }
    return Iterator(base: stream.makeAsyncIterator())
  }

  /// What is left of the values for one loop.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncThrowingStream<Value, any Error>.Iterator

    /// Waits for the next value, on the caller's actor.
    ///
    /// - Parameter actor: The actor that the loop runs on.
    /// - Returns: The value; nil when the sequence has finished, or the task was cancelled.
    /// - Throws: The error of the sequence.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Value? {
      try await base.next(isolation: actor)
    }
  }
}

extension Backlog {
  fileprivate func bufferingPolicy<Element>(
    for _: Element.Type = Element.self
  ) -> AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy {
    self == .unlimited ? .unbounded : .bufferingNewest(limit)
  }
}
