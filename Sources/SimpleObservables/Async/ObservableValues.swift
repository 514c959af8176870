internal import SimpleEvents

extension Observable where Value: Sendable {
  /// The newest values of this observable as an asynchronous sequence. It skips values while the loop is
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
  /// received, except values that the source replays to a new subscriber, such as the value of a variable. To
  /// receive every value that is sent after the loop has begun, use ``values(buffering:)`` with the policy
  /// `.unbounded`.
  public var values: ObservableValues<Value> {
    values(buffering: .newest(1))
  }

  /// Returns the values of this observable as an asynchronous sequence.
  ///
  /// Each loop has a subscription of its own, which is removed when the loop ends. When this observable
  /// finishes, when the source releases the subscriber, or when the task of the loop is cancelled, the loop
  /// first receives the values that are kept for it, and then ends. When this observable fails, the loop
  /// first receives these values, and then throws the error.
  ///
  /// - Parameter policy: The values that are kept while the loop is busy with another value.
  public func values(buffering policy: BufferingPolicy) -> ObservableValues<Value> {
    ObservableValues(source: self, policy: policy)
  }
}

/// The values of an observable as an asynchronous sequence.
///
/// An instance is created by ``Observable/values`` and ``Observable/values(buffering:)``.
public struct ObservableValues<Value: Sendable>: AsyncSequence, Sendable {
  /// The value type of the observable.
  public typealias Element = Value
  /// The error type of the observable.
  public typealias Failure = any Error

  let source: Observable<Value>
  let policy: BufferingPolicy

  /// Subscribes to the observable, for one loop.
  public func makeAsyncIterator() -> Iterator {
    let received = ReceivedValues<Value>(buffering: policy)
    let iterator = Iterator(received: received, end: CancelOnDeinit { received.cancel() })
    // A source can release its subscriber without sending an end, for example if a scheduler is lost (S7).
    // The sequence then finishes.
    let end = CancelOnDeinit { received.end(.finished) }
    source.connect(
      Observer(
        received.subscription, conflates: policy.limit == 1,
        onNext: { value in withExtendedLifetime(end) { received.add(value) } },
        onEnd: { received.end($0) }))
    return iterator
  }

  /// The subscription of one loop.
  ///
  /// Copies of an iterator refer to the same subscription. If a second task waits with a copy, the wait of
  /// the first task ends with nil.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let received: ReceivedValues<Value>
    /// Removes the subscription when the last copy is released.
    fileprivate let end: CancelOnDeinit

    /// Waits for the next value on the caller's actor.
    ///
    /// - Returns: The value; nil if no value is kept, and the sequence has finished or the task was
    ///   cancelled.
    /// - Throws: The error of the sequence.
    public mutating func next() async throws -> Value? { try await next(isolation: #isolation) }

    /// Waits for the next value on the given actor.
    ///
    /// - Parameter actor: The actor on which the loop runs.
    /// - Returns: The value; nil if no value is kept, and the sequence has finished or the task was
    ///   cancelled.
    /// - Throws: The error of the sequence.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Value? {
      let received = received
      if Task.isCancelled { received.cancel() }
      if let next = try received.take() { return next }
      let wait = await CancellableWait.suspend(
        for: .value(of: DiagnosticSubject(ObservableValues<Value>.self))
      ) {
        received.wait($0)
      } cancel: {
        received.cancel()
      }
      // If a second task has ended this wait, the next value is for that task.
      return wait == .reached ? try received.take() ?? nil : nil
    }
  }
}

/// An object that calls a function when the object is released.
private final class CancelOnDeinit: Sendable {
  private let cancel: @Sendable () -> Void

  init(_ cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }

  deinit { cancel() }
}
