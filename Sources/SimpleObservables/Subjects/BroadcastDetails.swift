public import SimpleEvents

/// The part of the state that most broadcasts do not need: queued steps, an error, and rules for the values.
@_fixed_layout @usableFromInline
final class BroadcastDetails<Value>: StepQueueDetails<BroadcastStep<Value>> {
  /// The number of values to replay.
  @usableFromInline let capacity: Int
  /// Whether two values are the same, so that the second one is not delivered.
  @usableFromInline let isSame: ((Value, Value) -> Bool)?
  /// The values to replay, which have been delivered.
  ///
  /// SAFETY: the steps of the broadcast use the history, one at a time, and call no code of the user during
  /// an access.
  @exclusivity(unchecked) @usableFromInline var history: Fifo<Value> = Fifo()
  /// The error that ended the sequence, delivered or not.
  ///
  /// SAFETY: used under the lock of the broadcast only, so no two accesses overlap.
  @exclusivity(unchecked) @usableFromInline var failure: (any Error)?

  @inlinable init(capacity: Int = 0, isSame: ((Value, Value) -> Bool)? = nil) {
    self.capacity = capacity
    self.isSame = isSame
    super.init()
  }

  /// Records a value; returns whether it is delivered.
  @usableFromInline func admit(_ value: Value) -> Bool {
    if let isSame, case .some(let last) = unsafe history.last, isSame(last, value) { return false }
    // The dropped value is released when this method returns.
    // NB: the oldest value is removed before the new value is added, so that a history of one value stays in
    // the first slot of its storage.
    let dropped = unsafe history.count == capacity ? history.popFirst() : nil
    if capacity > 0 { unsafe history.append(value) }
    withExtendedLifetime(dropped) {}
    return true
  }
}
