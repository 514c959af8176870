public import SimpleEvents
public import Synchronization

/// One subscription from the inside: whether it still counts, and what to let go of when it does not.
///
/// Operators that answer each signal at once share the subscription of whoever listens to them; those
/// that put time or other sources in between give their sources one of their own.
///
/// It holds what lies upstream by tokens only: never a subscriber's closures, nor an observable.
@usableFromInline
final class Subscription: SimpleEventToken {
  private struct State {
    var isDisconnected: Bool = false
    /// Most have one, so that one needs no array.
    var first: (any SimpleEventToken)?
    var others: [any SimpleEventToken] = []
  }

  /// Relaxed, since the flag carries no data: on the removing thread program order makes it certain, and a
  /// delivery on another thread may come once more, as if the removal had come a moment later.
  @usableFromInline let closed: Atomic<Bool> = Atomic(false)
  /// Guards the tokens. They are removed, and let go, after the lock.
  private let state: Guarded<State> = Guarded(State())

  @usableFromInline
  init() {}

  @inlinable var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Ends deliveries; returns false if they had ended before.
  func close() -> Bool {
    !closed.exchange(true, ordering: .relaxed)
  }

  /// Remembers what to remove when this ends; removes it now if that has happened.
  @usableFromInline
  func add(_ token: any SimpleEventToken) {
    let isTaken = state.withLock { state -> Bool in
      guard !state.isDisconnected else { return false }
      if state.first == nil {
        state.first = token
      } else {
        state.others.append(token)
      }
      return true
    }
    if !isTaken {
      token.remove()
    }
  }

  /// Lets go of everything upstream. Idempotent, from any thread.
  func disconnect() {
    let old = state.exchange(State(isDisconnected: true))
    old.first?.remove()
    for token in old.others {
      token.remove()
    }
  }

  /// Ends deliveries, and lets go of everything upstream.
  @usableFromInline
  func remove() {
    _ = close()
    disconnect()
  }
}

/// The token of a subscriber.
///
/// It holds the subscription for good, so that each of several removals closes it before it returns (E5).
@usableFromInline
final class SubscriptionToken: SimpleEventToken {
  private let subscription: Subscription

  @usableFromInline
  init(_ subscription: Subscription) { self.subscription = subscription }

  deinit { remove() }

  @usableFromInline
  func remove() { subscription.remove() }
}
