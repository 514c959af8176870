public import SimpleEvents

/// A closure that a bag can release.
///
/// ```swift
/// let refresh = Closure { list.reload() }
/// refresh.disposed(by: bag)
/// button.onTap = { refresh.closure?() }  // does nothing once the bag has disposed
/// ```
public final class Closure<Function>: SimpleEventToken {
  /// Guards the closure. The closure is released after the lock is released.
  private let function: Guarded<Function?>

  /// Wraps a closure.
  ///
  /// - Parameter closure: The closure. It is kept until ``remove()`` is called.
  public init(_ closure: Function) {
    function = Guarded(closure)
  }

  /// The closure; nil after its removal.
  public var closure: Function? {
    function.withLock { $0 }
  }

  /// Releases the closure. The method is idempotent, and any thread may call it.
  public func remove() {
    _ = function.exchange(nil)
  }
}
