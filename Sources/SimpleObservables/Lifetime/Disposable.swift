public import SimpleEvents

/// A token that runs a closure, once: when it is removed, or else when it is let go.
///
/// For what is no subscription but ends like one:
///
/// ```swift
/// let id = registry.add(plugin)
/// Disposable { registry.remove(id) }.disposed(by: bag)
/// ```
public final class Disposable: SimpleEventToken {
  /// Guards the closure; taken by the first removal, and called after the lock.
  private let dispose: Guarded<(() -> Void)?>

  /// Creates a token.
  ///
  /// - Parameter dispose: Called once, on the thread that removes the token or lets it go; released then.
  public init(_ dispose: @escaping () -> Void) {
    self.dispose = Guarded(dispose)
  }

  deinit {
    remove()
  }

  /// Runs the closure, unless that has happened. Idempotent, from any thread.
  public func remove() {
    let dispose = dispose.withLock { dispose -> (() -> Void)? in
      let taken = dispose
      dispose = nil
      return taken
    }
    dispose?()
  }
}
