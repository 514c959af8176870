public import SimpleEvents

/// Keeps tokens, and removes them all on request or when it is deallocated.
///
/// ```swift
/// private let bag = DisposeBag()
/// model.title.subscribe { print($0) }.disposed(by: bag)
/// ```
///
/// Usable from any thread. In a model, declare the bag before the subjects that the model subscribes to: the
/// properties of an object are released in the order of their declarations, so the bag then removes the
/// subscriptions before the subjects end. If the bag is declared after a subject, the subscribers receive the
/// end of the subject while the model is deallocated.
public final class DisposeBag: Sendable {
  // A class instead of an array of tokens: the compiler may release a local array after its last use, so that
  // subscriptions would end before their scope does.

  private struct State {
    var tokens: [any SimpleEventToken] = []
    /// The number of times that tokens were removed.
    var round: Int = 0
  }

  /// Guards the tokens. They are removed, and released, after the lock is released.
  private let state: Guarded<State> = Guarded(State())

  /// Creates an empty bag.
  public init() {}

  deinit {
    disposeAll()
  }

  /// Keeps a token.
  ///
  /// - Parameter token: Removed with the others of this bag.
  /// - Complexity: Amortised O(1).
  public func add(_ token: any SimpleEventToken) {
    state.withLock { $0.tokens.append(token) }
  }

  /// Removes all tokens.
  ///
  /// Another name for ``disposeAll()``, for code in which the bag was an array.
  ///
  /// - Complexity: O(tokens).
  public func removeAll() { disposeAll() }

  /// Removes all tokens, in the order they were added. The bag can be used again.
  ///
  /// Callable from any thread. If two threads call it, each removes all tokens, so that each returns after
  /// the removal (E5).
  ///
  /// - Complexity: O(tokens).
  public func disposeAll() {
    // The tokens stay in the bag until they are removed, so that another thread does not return before that.
    let old = state.withLock { $0 }
    for token in old.tokens {
      token.remove()
    }
    state.withLock { state in
      guard state.round == old.round else { return }
      state.tokens.removeFirst(old.tokens.count)
      state.round += 1
    }
    // The tokens are released here, after the lock is released.
    withExtendedLifetime(old) {}
  }
}

extension SimpleEventToken {
  /// Puts this token into a bag.
  ///
  /// - Parameter bag: Keeps the token, and removes it with all others.
  public func disposed(by bag: DisposeBag) {
    bag.add(self)
  }

  /// Puts this token into a bag that is a variable.
  ///
  /// For example `disposed(by: &bag)`.
  ///
  /// - Parameter bag: Keeps the token, and removes it with all others.
  public func disposed(by bag: inout DisposeBag) {
    bag.add(self)
  }
}
