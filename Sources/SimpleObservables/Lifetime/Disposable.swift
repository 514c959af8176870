public import SimpleEvents

/// A token that runs a closure once, when it is removed or deallocated.
///
/// With it, a cleanup of any kind can be kept in the same bag as subscriptions:
///
/// ```swift
/// let id = registry.add(plugin)
/// Disposable { registry.remove(id) }.disposed(by: bag)
/// ```
public final class Disposable: SimpleEventToken {
  /// Wraps the closure. A generic type would store a bare function in another representation, and this would
  /// cost an allocation.
  private struct Action {
    let run: () -> Void
  }

  /// Guards the closure. The first removal takes the closure, and calls it after the lock is released.
  private let action: Guarded<Action?>

  /// Creates a token.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - dispose: The cleanup. Called once, on the thread that removes or deallocates the token, and then
  ///     released. If the closure is isolated to an actor, a call off that actor is flagged (E9).
  public convenience init(
    fileID: StaticString = #fileID, line: UInt = #line, _ dispose: @escaping @isolated(any) () -> Void
  ) {
    self.init(
      plain: isolationChecked(dispose, of: Disposable.self, at: CallSite(fileID: fileID, line: line)))
  }

  init(plain dispose: @escaping () -> Void) {
    action = Guarded(Action(run: dispose))
  }

  deinit {
    remove()
  }

  /// Runs the closure, unless it has already run. Any thread may call this method.
  public func remove() {
    action.exchange(nil)?.run()
  }
}
