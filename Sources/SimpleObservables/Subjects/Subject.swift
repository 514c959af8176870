/// An observable that is told what to say: what ``PublishSubject``, ``Variable`` and ``ReplaySubject``
/// have in common.
///
/// All members may be called from any thread where the value is `Sendable`, also by its own subscribers
/// in the middle of a delivery. A call that finds a delivery in progress returns at once, and whoever
/// delivers goes on with it: values wait only for those before them.
///
/// The sequence ends with ``fail(_:)`` or ``finish()``. What is sent later is ignored, and who subscribes
/// later is told the end. A subject that is deallocated finishes, since nobody can send any more.
@_fixed_layout
public class Subject<Value>: Observable<Value> {
  @usableFromInline let broadcast: Broadcast<Value>

  @inlinable
  init(_ broadcast: Broadcast<Value>) {
    self.broadcast = broadcast
    super.init(current: { broadcast.newest }, attach: { broadcast.add($0) })
  }

  deinit {
    broadcast.end(.finished)
  }

  /// Sends a value to all subscribers.
  ///
  /// - Parameter value: The new value.
  /// - Complexity: O(subscribers).
  @inlinable
  public final func update(_ value: Value) {
    broadcast.send(value)
  }

  /// Ends the sequence with an error.
  ///
  /// - Parameter error: Told to all subscribers, now and later.
  @inlinable
  public final func fail(_ error: any Error) {
    broadcast.end(.failed(error))
  }

  /// Ends the sequence.
  @inlinable
  public final func finish() {
    broadcast.end(.finished)
  }
}

extension Subject where Value == Void {
  /// Tells all subscribers that it happened.
  public func update() {
    update(())
  }
}

// SAFETY: the superclass is safe to use from any thread, and the property that is added never changes.
extension Subject: @unchecked Sendable where Value: Sendable {}
