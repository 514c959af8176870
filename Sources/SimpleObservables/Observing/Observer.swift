/// The receiving end of one subscription, as a source sees it.
///
/// The closure of ``Observable/create(_:)`` gets one, and tells it values and then, where the sequence
/// comes to an end, how: `next* (fail | finish)?`. What is said after the end, or after the subscriber has
/// gone, is ignored.
///
/// Usable from any thread: what is said while a subscriber is being called, on another thread or by that
/// subscriber itself, is delivered right after it.
@frozen
public struct Observer<Value> {
  @usableFromInline let subscription: Subscription
  /// Passes a value on without asking whether anybody still wants it.
  @usableFromInline let onNext: (Value) -> Void
  @usableFromInline let onEnd: (Completion) -> Void

  @inlinable
  init(
    _ subscription: Subscription, onNext: @escaping (Value) -> Void,
    onEnd: @escaping (Completion) -> Void
  ) {
    self.subscription = subscription
    self.onNext = onNext
    self.onEnd = onEnd
  }

  /// An observer upstream of another one that answers each value at once, and has the same end.
  @inlinable
  init<Output>(before downstream: Observer<Output>, onNext: @escaping (Value) -> Void) {
    self.init(downstream.subscription, onNext: onNext, onEnd: downstream.onEnd)
  }

  /// Whether anybody is listening: false once the end has been told, or the subscription removed.
  ///
  /// A source that emits in a loop asks this each time round.
  @inlinable public var isActive: Bool { !subscription.isClosed }

  /// Tells the subscriber a value.
  ///
  /// - Complexity: O(1), plus what the subscriber does.
  @inlinable
  public func next(_ value: Value) {
    if isActive {
      onNext(value)
    }
  }

  /// Ends the sequence with an error.
  public func fail(_ error: any Error) {
    end(.failed(error))
  }

  /// Ends the sequence.
  public func finish() {
    end(.finished)
  }

  @usableFromInline
  func end(_ completion: Completion) {
    guard subscription.close() else { return }
    onEnd(completion)
    subscription.disconnect()
  }

  func accept(_ signal: Signal<Value>) {
    switch signal {
    case .next(let value): next(value)
    case .end(let completion): end(completion)
    }
  }
}

// SAFETY: the closures are plain functions. Those of an observer that a user receives pass every signal to a
// serial line, which performs one at a time.
extension Observer: @unchecked Sendable where Value: Sendable {}
