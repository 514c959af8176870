/// An observer in the list of a broadcast, without the type of its values.
@_fixed_layout
@usableFromInline
class SubscriberEntry {
  @usableFromInline final let subscription: Subscription

  @inlinable
  init(_ subscription: Subscription) { self.subscription = subscription }

  /// Takes in the end.
  func end(_ completion: Completion) {}
}

/// An observer in the list of a broadcast.
@_fixed_layout
@usableFromInline
class Subscriber<Value>: SubscriberEntry {
  @usableFromInline final let onNext: (Value) -> Void

  @usableFromInline
  init(_ observer: Observer<Value>) {
    onNext = observer.onNext
    super.init(observer.subscription)
  }

  /// Most subscribers have nothing to do at the end, and need no room for it.
  static func make(_ observer: Observer<Value>) -> Subscriber<Value> {
    guard let onEnd = observer.onEnd else { return Subscriber(observer) }
    return EndingSubscriber(observer, onEnd)
  }
}

/// An observer that has something to do at the end.
private final class EndingSubscriber<Value>: Subscriber<Value> {
  private let onEnd: (Completion) -> Void

  init(_ observer: Observer<Value>, _ onEnd: @escaping (Completion) -> Void) {
    self.onEnd = onEnd
    super.init(observer)
  }

  override func end(_ completion: Completion) { onEnd(completion) }
}
