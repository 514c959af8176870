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
  /// Guards the tokens. They are removed, and let go, after the lock.
  private let tokens: Guarded<[any SimpleEventToken]> = Guarded([])

  /// Creates a bag that is empty.
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

  /// Removes all tokens, in the order they were added. The bag can be used again.
  ///
  /// Of two threads that call this at once, each removes the tokens that it finds, and may return before the other has
  /// removed its own.
  ///
  /// - Complexity: O(tokens).
  public func disposeAll() {
    for token in tokens.exchange([]) {
      token.remove()
    }
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
