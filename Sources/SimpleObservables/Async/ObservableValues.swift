internal import SimpleEvents

extension Observable where Value: Sendable {
  /// The newest values of this observable as an asynchronous sequence, which skips values while the loop is
  /// busy.
  ///
  /// ```swift
  /// for try await title in model.title.values {
  ///   // Of the titles that are sent during this call, the loop receives only the last one.
  ///   await render(title)
  /// }
  /// ```
  ///
  /// The loop subscribes when it begins, on the actor of its task. Values that were sent before are not
  /// received, except for those that the source replays to a new subscriber, such as the value of a variable.
  /// To receive every value from then on, use ``values(keeping:)`` with another policy.
  public var values: ObservableValues<Value> {
    values(keeping: .latest)
  }

  /// The values of this observable as an asynchronous sequence.
  ///
  /// Each loop has a subscription of its own, which is removed when the loop ends. A loop ends when this
  /// observable finishes or the task of the loop is cancelled, and throws when this observable fails.
  ///
  /// - Parameter policy: The values that are kept while the loop is busy with another one.
  public func values(keeping policy: BufferingPolicy) -> ObservableValues<Value> {
    ObservableValues(source: self, policy: policy)
  }
}

/// The values of an observable as an asynchronous sequence.
///
/// Created by ``Observable/values`` and ``Observable/values(keeping:)``.
public struct ObservableValues<Value: Sendable>: AsyncSequence, Sendable {
  /// The value of the observable.
  public typealias Element = Value
  /// The error of the observable.
  public typealias Failure = any Error

  let source: Observable<Value>
  let policy: BufferingPolicy

  /// Subscribes to the observable, for one loop.
  public func makeAsyncIterator() -> Iterator {
    let stream = AsyncThrowingStream<Value, any Error>(bufferingPolicy: policy.bufferingPolicy()) { stream in
      let subscription = Subscription()
      // Called on cancellation, at the end, and when the iterator is released.
      stream.onTermination = { _ in subscription.remove() }
      let end = StreamEnd { stream.finish() }
      source.connect(
        Observer(
          subscription, conflates: policy.limit == 1,
          onNext: { value in withExtendedLifetime(end) { _ = stream.yield(value) } },
          onEnd: { completion in
            switch completion {
            case .finished: stream.finish()
            case .failed(let error): stream.finish(throwing: error)
            }
          }))
    }
    return Iterator(base: stream.makeAsyncIterator())
  }

  /// The subscription of one loop.
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

/// Ends a stream when its source releases the subscriber without an end, because a scheduler in between was
/// lost (S7).
private final class StreamEnd: Sendable {
  private let finish: @Sendable () -> Void

  init(_ finish: @escaping @Sendable () -> Void) { self.finish = finish }

  deinit { finish() }
}

extension BufferingPolicy {
  fileprivate func bufferingPolicy<Element>(
    for _: Element.Type = Element.self
  ) -> AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy {
    self == .unlimited ? .unbounded : .bufferingNewest(limit)
  }
}
