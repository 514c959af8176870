public import SimpleEvents

/// A closure that can be taken away from whoever holds it.
///
/// ```swift
/// let refresh = Closure { list.reload() }
/// refresh.disposed(by: bag)
/// button.onTap = { refresh.closure?() }  // does nothing once the bag has disposed
/// ```
public final class Closure<Function>: SimpleEventToken {
  /// Guards the closure, which is let go after the lock.
  private let function: Guarded<Function?>

  /// Wraps a closure.
  ///
  /// - Parameter closure: Kept until this is removed.
  public init(_ closure: Function) {
    function = Guarded(closure)
  }

  /// The closure; nil when it has been taken away.
  public var closure: Function? {
    function.withLock { $0 }
  }

  /// Takes the closure away, and lets it go. Idempotent, from any thread.
  public func remove() {
    _ = function.exchange(nil)
  }
}
