public import SimpleEvents

/// Keeps tokens, and removes them all when it is let go, or on request.
///
/// ```swift
/// private let bag = DisposeBag()
/// model.title.subscribe { print($0) }.disposed(by: bag)
/// ```
///
/// Usable from any thread. A class and no array of tokens: the compiler may let go of a local array as soon
/// as it is not used any more, and subscriptions would end before their scope does.
public final class DisposeBag: Sendable {
  private struct State {
    var tokens: [any SimpleEventToken] = []
    /// The number of times that tokens were taken off.
    var round: Int = 0
  }

  /// Guards the tokens. They are removed, and released, after the lock.
  private let state: Guarded<State> = Guarded(State())

  /// Creates a bag that is empty.
  public init() {}

  deinit {
    disposeAll()
  }

  /// Keeps a token.
  ///
  /// - Complexity: Amortised O(1).
  public func add(_ token: any SimpleEventToken) {
    state.withLock { $0.tokens.append(token) }
  }

  /// Removes all tokens, in the order they were added. The bag can be used again.
  ///
  /// Callable from any thread. Tokens that another thread is removing at the time are removed by both (E5).
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
    // The tokens are released here, after the lock.
    withExtendedLifetime(old) {}
  }
}

/// Another name for a bag, for readers who come from Snail.
public typealias Disposer = DisposeBag

extension SimpleEventToken {
  /// Puts this token into a bag, which removes it when it disposes.
  public func disposed(by bag: DisposeBag) {
    bag.add(self)
  }

  /// Puts this token into a bag that is a variable, as in `disposed(by: &bag)`.
  public func disposed(by bag: inout DisposeBag) {
    bag.add(self)
  }
}
