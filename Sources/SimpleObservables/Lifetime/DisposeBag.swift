public import SimpleEvents

/// Keeps tokens, and removes all of them on request or when the bag is deallocated.
///
/// ```swift
/// private let bag = DisposeBag()
/// model.title.subscribe { print($0) }.disposed(by: bag)
/// ```
///
/// Any thread may use a bag. In a model, declare the bag before the subjects to which the model subscribes.
/// The properties of an object are released in the order of their declarations, so the bag then removes the
/// subscriptions before the subjects end. If the bag is declared after a subject, the subscribers receive the
/// end of the subject while the model is deallocated.
public final class DisposeBag: Sendable {
  // A bag is a class and not an array of tokens. The compiler may release a local array after its last use,
  // so that subscriptions would end before their scope does.

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
  /// - Parameter token: The token. It is removed together with the other tokens of this bag.
  /// - Complexity: Amortised O(1).
  public func add(_ token: any SimpleEventToken) {
    state.withLock { $0.tokens.append(token) }
  }

  /// Removes all tokens, in the order in which they were added. The bag can be used again.
  ///
  /// Any thread may call this method. If two threads call it, each removes all tokens, so that the
  /// subscriptions have ended when a call returns (E5). The closure of a ``Disposable`` may still be running
  /// on the other thread.
  ///
  /// - Complexity: O(tokens).
  public func disposeAll() {
    // The tokens stay in the bag until they are removed, so that a call on another thread does not return
    // before the removal.
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
  /// - Parameter bag: The bag, which keeps the token. The bag removes all of its tokens together.
  public func disposed(by bag: DisposeBag) {
    bag.add(self)
  }

  /// Puts this token into a bag that is passed by reference.
  ///
  /// For example `disposed(by: &bag)`.
  ///
  /// - Parameter bag: The bag, which keeps the token. The bag removes all of its tokens together.
  public func disposed(by bag: inout DisposeBag) {
    bag.add(self)
  }
}
