public import SimpleEvents
public import Synchronization

/// The internal state of one subscription: whether it is open, and its sources.
///
/// Operators that handle each event immediately share the subscription of their subscriber. Other operators,
/// such as operators with a scheduler or with several sources, give a source a subscription of its own.
///
/// A subscription is also the entry of a subscriber in the list of a broadcast.
@_fixed_layout @usableFromInline
class Subscription: Upstream, PositionedEntry, SimpleEventToken, @unchecked Sendable {
  // SAFETY: the state is behind a lock, and `closed` is atomic. Only the steps of one broadcast use the other
  // variables, and these steps run one at a time. A subscription has one broadcast at most.
  /// Receives the values of the broadcast. The function is stored without the type of the values.
  // NB: this property must stay the first one, because a `Receiver` reads it as its own first property.
  @exclusivity(unchecked) private final var receiver: ErasedFunction?

  @usableFromInline struct State {
    /// The source of this subscription; a group if there are several.
    var upstream: Upstream?
    var isDisconnected: Bool = false
  }

  /// Guards the source. The source is disconnected, and released, after the lock is released.
  private let state: Guarded<State>
  /// Whether deliveries have ended.
  ///
  /// The ordering is relaxed, because the flag carries no data. Program order suffices on the removing
  /// thread. On another thread one more delivery may be made, as if the removal had come a moment later.
  @usableFromInline final let closed: Atomic<Bool>
  /// Whether the broadcast may leave out queued values.
  @exclusivity(unchecked) @usableFromInline final var conflates: Bool = false
  /// The place among the subscribers of the broadcast; negative if the subscription is not among them.
  @safe @exclusivity(unchecked) @usableFromInline final var position: Int32 = -1
  /// Receives the end of the broadcast; nil if the end has no effect.
  // NB: this is the last property, so that a delivery of a value reads one line of the cache in most cases.
  @exclusivity(unchecked) private final var onEnd: ((Completion) -> Void)?

  @usableFromInline override init() {
    state = Guarded(State())
    closed = Atomic(false)
    super.init()
  }

  @inlinable final var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Ends deliveries; returns false if they had ended before.
  @inlinable final func close() -> Bool { !closed.exchange(true, ordering: .relaxed) }

  /// Stores the closures of an observer, for the calls of a broadcast.
  @usableFromInline final func receive<Value>(as observer: Observer<Value>) {
    unsafe receiver = ErasedFunction(observer.onNext)
    unsafe onEnd = observer.onEnd
    unsafe conflates = observer.conflates
  }

  /// Calls the closure for the end.
  @usableFromInline final func receive(_ completion: Completion) { unsafe onEnd?(completion) }

  /// Releases the closures. A release may run code that uses the broadcast.
  @usableFromInline final func releaseClosures() {
    let closures = unsafe (receiver.take(), onEnd.take())
    withExtendedLifetime(closures) {}
  }

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

  /// Releases a source that has ended before this subscription.
  ///
  /// - Parameter upstream: The source. The caller retains it, so it is not released under the lock.
  final func drop(_ upstream: Upstream) {
    state.withLock { state in
      if let group = state.upstream as? UpstreamGroup {
        group.remove(upstream)
      } else if state.upstream === upstream {
        state.upstream = nil
      }
    }
  }

  /// Removes a token when this subscription ends.
  final func add(token: any SimpleEventToken) { add(TokenUpstream(token)) }

  /// Disconnects all sources. The method is idempotent, and any thread may call it.
  final func disconnect() { state.exchange(State(isDisconnected: true)).upstream?.disconnect(self) }

  /// Disconnects all sources except the given one, which has already released the subscriber.
  @usableFromInline final func disconnect(from source: Upstream) {
    let upstream = state.exchange(State(isDisconnected: true)).upstream
    if upstream !== source { upstream?.disconnect(self) }
  }

  /// Ends deliveries, and disconnects all sources.
  @usableFromInline final func remove() {
    _ = close()
    disconnect()
  }

  /// Removes this subscription when the subscription downstream ends.
  override func disconnect(_ subscription: Subscription) { remove() }
}

/// The token of a subscriber.
///
/// The token keeps the subscription, so that each of several removals closes the subscription before it
/// returns (E5).
@usableFromInline final class SubscriptionToken: SimpleEventToken {
  private let subscription: Subscription

  @usableFromInline init(_ subscription: Subscription) { self.subscription = subscription }

  deinit { remove() }

  @usableFromInline func remove() { subscription.remove() }
}
