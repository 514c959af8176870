public import SimpleEvents

/// The rules of a broadcast that compares values, or that replays several values.
@_fixed_layout @usableFromInline final class ReplayRules<Value> {
  /// The number of values to replay; nil if at most one value is replayed.
  @usableFromInline let capacity: Int?
  /// Whether two values are the same, so that the second value is not delivered.
  @usableFromInline let isSame: ((Value, Value) -> Bool)?
  /// The values to replay.
  ///
  /// SAFETY: the steps of the broadcast use the property, one at a time, and call no code of the user during
  /// an access.
  @exclusivity(unchecked) @usableFromInline var history: Fifo<Value> = Fifo()

  @inlinable init(capacity: Int? = nil, isSame: ((Value, Value) -> Bool)? = nil) {
    self.capacity = capacity
    self.isSame = isSame
  }

  /// Records a value; returns whether it is delivered.
  @usableFromInline func admit(_ value: Value, after old: Value?) -> Bool {
    if let isSame, case .some(let old) = old, isSame(old, value) { return false }
    if let capacity {
      unsafe history.append(value)
      // The dropped value is released when this method returns.
      let dropped = unsafe history.count > capacity ? history.popFirst() : nil
      withExtendedLifetime(dropped) {}
    }
    return true
  }
}
