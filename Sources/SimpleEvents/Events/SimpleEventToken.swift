// `@preconcurrency` lets token types of Swift 5 clients conform without a warning. Other threads only remove
// and release such tokens, and the contract of a token allows both (E5).

/// An object that keeps a block registered. Its deallocation removes the block.
///
/// Keep it in a property of the observing object. A token that is not kept removes its block immediately.
@preconcurrency
public protocol SimpleEventToken: AnyObject, Sendable {
  /// Removes the block.
  ///
  /// The method is idempotent, and may be called from any thread. Once it has returned on the delivering
  /// thread, the block is not called again, and its captures are released no later than the end of a
  /// notification cycle in progress (E5).
  func remove()
}
