public import SimpleEvents

/// Keeps tokens, and removes them all on request or when it is deallocated.
///
/// A ``DisposeBag`` for use from any thread, and for ending subscriptions before their owner ends.
public final class Disposer {
  /// Guards the tokens. They are removed, and let go, after the lock.
  private let tokens: Locked<[any SimpleEventToken]> = Locked([])

  /// Creates a disposer that keeps nothing yet.
  public init() {}

  deinit {
    disposeAll()
  }

  /// Keeps a token.
  ///
  /// - Complexity: Amortised O(1).
  public func add(_ token: any SimpleEventToken) {
    tokens.withLock { $0.append(token) }
  }

  /// Removes all tokens, in the order they were added. The disposer can be used again.
  ///
  /// - Complexity: O(tokens).
  public func disposeAll() {
    let old = tokens.withLock { tokens -> [any SimpleEventToken] in
      let old = tokens
      tokens = []
      return old
    }
    for token in old {
      token.remove()
    }
  }
}

// NB: not checked by the compiler, since tokens are not `Sendable`. They are behind the lock, and may be
// removed and let go on any thread, by contract (E5).
extension Disposer: @unchecked Sendable {}
