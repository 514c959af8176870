/// An observable whose owner sends the values. It is the superclass of the subjects.
///
/// Create a ``PublishSubject``, a ``Variable``, a ``DistinctVariable`` or a ``ReplaySubject``.
///
/// If the value is `Sendable`, any thread may call all members. A subscriber may also call them during a
/// delivery. If a delivery is in progress, ``update(_:)`` does not wait for it, and the new value is
/// delivered after it (V3).
///
/// The sequence ends with ``fail(_:)`` or ``finish()``. Values that are sent later are ignored, and a later
/// subscriber receives the end. A subject that is deallocated finishes.
@_fixed_layout public class Subject<Value>: Observable<Value> {
  @usableFromInline let broadcast: Broadcast<Value>

  @inlinable init(_ broadcast: Broadcast<Value>) {
    self.broadcast = broadcast
    super.init()
  }

  /// The value that was sent last.
  public override var value: Value? { broadcast.newest }

  @inlinable override func attach(_ observer: Observer<Value>) { broadcast.add(observer) }

  @inlinable deinit {
    broadcast.end(.finished)
  }

  /// Sends a value to all subscribers.
  ///
  /// - Parameter value: The new value.
  /// - Complexity: O(subscribers).
  @inlinable public final func update(_ value: Value) {
    broadcast.send(value)
  }

  /// Ends the sequence with an error.
  ///
  /// - Parameter error: The error that is sent to all current and later subscribers.
  @inlinable public final func fail(_ error: any Error) {
    broadcast.end(.failed(error))
  }

  /// Ends the sequence.
  @inlinable public final func finish() {
    broadcast.end(.finished)
  }

  /// Removes all subscribers without sending an end. New subscribers can be added afterwards.
  ///
  /// During a delivery, the subscribers still receive the values that were sent before this call. Derived and
  /// bound variables are subscribers as well: after this call they keep their last value. In the place of a
  /// value that was sent before this call, a variable that is bound by `bind(to:)` may take the newest value
  /// of this subject. The subscribers of a `shared()` observable receive nothing more until all of them are
  /// removed and another one is added. A loop over the `values` of this subject first receives the values
  /// that are buffered for it, and then ends.
  ///
  /// - Complexity: O(subscribers).
  public final func removeSubscribers() {
    broadcast.removeAll()
  }
}

extension Subject where Value == Void {
  /// Sends an empty value to all subscribers.
  public func update() {
    update(())
  }
}

// SAFETY: the superclass is safe to use from any thread, and the added property never changes.
extension Subject: @unchecked Sendable where Value: Sendable {}
