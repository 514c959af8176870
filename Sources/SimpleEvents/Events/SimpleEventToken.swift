// `@preconcurrency` lets token types of Swift 5 clients conform without a warning. Their tokens are only
// released and removed on other threads, which the contract of a token allows (E5).

/// An object that keeps a block registered: its deallocation removes the block.
///
/// Keep it in a property of the observing object. A token that is not kept removes its block immediately.
@preconcurrency
public protocol SimpleEventToken: AnyObject, Sendable {
  /// Removes the block.
  ///
  /// Idempotent, callable from any thread. Once this call has returned on the delivering thread, the block is
  /// not called again, and its captures are released no later than the end of a notification cycle in
  /// progress (E5).
  func remove()
}
