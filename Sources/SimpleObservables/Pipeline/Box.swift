/// A value that an operator keeps for one subscription.
@_fixed_layout @usableFromInline final class Box<Value> {
  // SAFETY: a subscription receives one value at a time, and no other code reaches the box. Each access has
  // ended before other code runs. A check of this at run time would cost as much as the delivery.
  @exclusivity(unchecked) @usableFromInline var storedValue: Value?

  @inlinable var value: Value? {
    get { unsafe storedValue }
    set { unsafe storedValue = newValue }
  }

  @inlinable init() {}
}
