/// The subscriber of one subscription, from the point of view of a source.
///
/// The closure of ``Observable/create(fileID:line:_:)`` receives an observer. The closure sends any number of
/// values to it, and then at most one error or one end. Calls after the end, or after the subscription was
/// removed, are ignored.
///
/// Any thread may use an observer. If another thread or the subscriber itself sends a value while the
/// subscriber is being called, the value is delivered after that call.
@frozen public struct Observer<Value> {
  @usableFromInline let subscription: Subscription
  /// Passes a value on, even if the subscription was removed.
  @usableFromInline let onNext: (Value) -> Void
  /// Passes the end on; nil if the end has no effect.
  @usableFromInline let onEnd: ((Completion) -> Void)?
  /// Whether only the newest of several values counts. A source then need not keep the other values (V3).
  @usableFromInline let conflates: Bool

  @inlinable init(
    _ subscription: Subscription, conflates: Bool = false, onNext: @escaping (Value) -> Void,
    onEnd: ((Completion) -> Void)?
  ) {
    self.subscription = subscription
    self.onNext = onNext
    self.onEnd = onEnd
    self.conflates = conflates
  }

  /// Creates an observer upstream of another observer. The new observer handles each value immediately, and
  /// passes the end on.
  @inlinable init<Output>(before downstream: Observer<Output>, onNext: @escaping (Value) -> Void) {
    self.init(downstream.subscription, onNext: onNext, onEnd: downstream.onEnd)
  }

  /// Returns an observer with the given subscription and the given function for the end. The returned
  /// observer passes values on to this one.
  func under(_ subscription: Subscription, onEnd: @escaping (Completion) -> Void) -> Observer {
    Observer(subscription, conflates: conflates, onNext: { next($0) }, onEnd: onEnd)
  }

  /// Whether values are delivered: false after the end, and after the subscription was removed.
  ///
  /// A source that sends in a loop checks this property in each round.
  @inlinable public var isActive: Bool { !subscription.isClosed }

  /// Sends a value to the subscriber.
  ///
  /// - Parameter value: The value. It is ignored after the end, and after the subscription was removed.
  /// - Complexity: O(1), plus the call of the subscriber.
  @inlinable public func next(_ value: Value) {
    if isActive {
      onNext(value)
    }
  }

  /// Ends the sequence with an error.
  ///
  /// - Parameter error: The error that is sent to the subscriber.
  public func fail(_ error: any Error) {
    end(.failed(error))
  }

  /// Ends the sequence.
  public func finish() {
    end(.finished)
  }

  @usableFromInline func end(_ completion: Completion) {
    guard subscription.close() else { return }
    onEnd?(completion)
    subscription.disconnect()
  }

  @usableFromInline func accept(_ event: StreamEvent<Value>) {
    switch event {
    case .next(let value): next(value)
    case .end(let completion): end(completion)
    }
  }
}

// SAFETY: the closures are plain functions. If a user receives an observer, its closures pass every event to
// a step queue, which performs one step at a time.
extension Observer: @unchecked Sendable where Value: Sendable {}
