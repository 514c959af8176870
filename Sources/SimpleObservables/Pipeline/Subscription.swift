public import SimpleEvents
public import Synchronization

/// The internal state of one subscription: whether it is open, and its sources.
///
/// Operators that handle each event immediately share the subscription of their subscriber. Operators that
/// put time or other sources in between give their sources a subscription of their own.
@usableFromInline class Subscription: Upstream, SimpleEventToken, @unchecked Sendable {
  // SAFETY: the state is behind a lock, and the steps of one broadcast use the position, one at a time.

  @usableFromInline struct State {
    /// The source of this subscription; a group if there are several.
    var upstream: Upstream?
    var isDisconnected: Bool = false
  }

  /// Guards the source. The source is disconnected, and released, after the lock is released.
  private let state: Guarded<State>
  /// Relaxed, because the flag carries no data: program order suffices on the removing thread, and a delivery
  /// on another thread may come once more, as if the removal had come a moment later.
  @usableFromInline final let closed: Atomic<Bool>
  // SAFETY: the steps of a broadcast use these, one at a time. A subscription has one broadcast at most.
  /// Whether the broadcast may leave out queued values.
  @exclusivity(unchecked) @usableFromInline final var conflates: Bool = false
  /// The place among the subscribers of the broadcast; negative elsewhere.
  @exclusivity(unchecked) @usableFromInline final var position: Int32 = -1

  @usableFromInline override init() {
    state = Guarded(State())
    closed = Atomic(false)
    super.init()
  }

  @inlinable final var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Ends deliveries; returns false if they had ended before.
  @inlinable final func close() -> Bool { !closed.exchange(true, ordering: .relaxed) }

  /// Adds a source; disconnects it immediately if this subscription has ended.
  @usableFromInline final func add(_ upstream: Upstream) {
    let isTaken = state.withLock { state -> Bool in
      guard !state.isDisconnected else { return false }
      if let group = state.upstream as? UpstreamGroup {
        group.append(upstream)
      } else {
        state.upstream = state.upstream.map { UpstreamGroup($0, upstream) } ?? upstream
      }
      return true
    }
    if !isTaken { upstream.disconnect(self) }
  }

  /// Removes a token when this subscription ends.
  final func add(token: any SimpleEventToken) { add(TokenUpstream(token)) }

  /// Disconnects all sources. Idempotent, callable from any thread.
  final func disconnect() { state.exchange(State(isDisconnected: true)).upstream?.disconnect(self) }

  /// Disconnects all sources except the one given, which has already released the subscriber.
  @usableFromInline final func disconnect(from source: Upstream) {
    let upstream = state.exchange(State(isDisconnected: true)).upstream
    if upstream !== source { upstream?.disconnect(self) }
  }

  /// Ends deliveries, and disconnects all sources.
  @usableFromInline final func remove() {
    _ = close()
    disconnect()
  }

  /// Removes this subscription when its upstream subscription ends.
  override func disconnect(_ subscription: Subscription) { remove() }
}

/// The token of a subscriber.
///
/// It keeps the subscription, so that each of several removals closes it before it returns (E5).
@usableFromInline final class SubscriptionToken: SimpleEventToken {
  private let subscription: Subscription

  @usableFromInline init(_ subscription: Subscription) { self.subscription = subscription }

  deinit { remove() }

  @usableFromInline func remove() { subscription.remove() }
}
