/// An object that keeps a block registered: its deallocation removes the block.
///
/// Keep it in a property of the observing object. A token that is not kept removes its block at once.
@preconcurrency
public protocol SimpleEventToken: AnyObject, Sendable {
  /// Removes the block.
  ///
  /// Idempotent, callable from any thread. Once it has returned on the thread that delivers, the block is not called
  /// again, and its captures are released no later than the end of a notification cycle in progress (E5).
  func remove()
}
