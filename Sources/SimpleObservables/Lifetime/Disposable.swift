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
  /// The closure in a structure of its own, because a generic type holds a bare function in another
  /// representation, which costs an allocation.
  private struct Action {
    let run: () -> Void
  }

  /// Guards the closure; taken by the first removal, and called after the lock.
  private let action: Guarded<Action?>

  /// Creates a token.
  ///
  /// - Parameter dispose: Called once, on the thread that removes the token or lets it go; released then.
  public init(_ dispose: @escaping () -> Void) {
    action = Guarded(Action(run: dispose))
  }

  deinit {
    remove()
  }

  /// Runs the closure, unless that has happened. Idempotent, from any thread.
  public func remove() {
    action.exchange(nil)?.run()
  }
}
