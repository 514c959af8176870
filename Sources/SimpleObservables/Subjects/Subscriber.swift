public import SimpleEvents

/// The subscribers of a broadcast. The steps of the broadcast use the list, one at a time.
///
/// The list is not generic over the values, so that one compiled list serves all broadcasts.
@usableFromInline typealias SubscriberList = EntryList<SubscriberEntry, EntrySlots<SubscriberEntry>>

/// An observer in the list of a broadcast, without the type of its values.
@_fixed_layout @usableFromInline class SubscriberEntry: PositionedEntry {
  @usableFromInline final let subscription: Subscription

  /// The position in the list. The subscription stores it, so that it can remove the entry.
  @usableFromInline final var position: Int32 {
    get { unsafe subscription.position }
    set { unsafe subscription.position = newValue }
  }

  @inlinable init(_ subscription: Subscription) { self.subscription = subscription }

  /// Receives the end.
  @usableFromInline func end(_ completion: Completion) {}
}

/// An observer in the list of a broadcast.
@_fixed_layout @usableFromInline class Subscriber<Value>: SubscriberEntry {
  @usableFromInline final let onNext: (Value) -> Void

  @inlinable init(_ observer: Observer<Value>) {
    onNext = observer.onNext
    super.init(observer.subscription)
  }

  /// Returns an entry for an observer. Most subscribers need no closure for the end, and no memory for such a
  /// closure.
  @inlinable static func make(_ observer: Observer<Value>) -> Subscriber<Value> {
    guard let onEnd = observer.onEnd else { return Subscriber(observer) }
    return EndingSubscriber(observer, onEnd)
  }
}

/// An observer with a closure for the end.
@_fixed_layout @usableFromInline final class EndingSubscriber<Value>: Subscriber<Value> {
  @usableFromInline let onEnd: (Completion) -> Void

  @inlinable init(_ observer: Observer<Value>, _ onEnd: @escaping (Completion) -> Void) {
    self.onEnd = onEnd
    super.init(observer)
  }

  @inlinable override func end(_ completion: Completion) { onEnd(completion) }
}
