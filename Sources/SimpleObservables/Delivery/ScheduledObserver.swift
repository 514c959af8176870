public import SimpleEvents

/// Delivers events on a scheduler, one at a time. Each turn delivers all events that are queued when it
/// starts.
@usableFromInline final class ScheduledObserver<Value>: Upstream, Wakeable, @unchecked Sendable {
  // SAFETY: events are behind the lock. They are delivered one at a time, on the scheduler.

  /// The state of the delivery.
  @frozen @usableFromInline enum Delivery {
    case none
    case running
    /// An event was sent on the scheduler during the delivery. The delivery also delivers this event.
    case extended
  }

  @frozen @usableFromInline struct State {
    @usableFromInline var delivery: Delivery = .none
    /// Whether a requested turn has not begun yet. On a concurrent queue this can be true during a delivery.
    @usableFromInline var isTurnRequested: Bool = false

    @inlinable init() {}
  }

  /// Guards the queued events and the state of the delivery. Events are delivered, and released, after the
  /// lock is released.
  @usableFromInline let state: Guarded<State> = Guarded(State())
  // SAFETY: the properties are used only under the lock, so no two accesses overlap. A check of this at run
  // time would cost as much as the lock, for each value.
  @exclusivity(unchecked) @usableFromInline var queued: Fifo<StreamEvent<Value>> = Fifo()
  private let turns: TurnSource
  private let downstream: Observer<Value>
  /// The subscription to the source.
  @usableFromInline let source: Subscription = Subscription()
  /// The number of values above which the oldest value is dropped.
  @usableFromInline let limit: Int

  @usableFromInline init(_ downstream: Observer<Value>, on scheduler: any EventScheduler, limit: Int) {
    turns = scheduler.turnSource
    self.downstream = downstream
    self.limit = limit
    super.init()
  }

  /// The observer of the source.
  @inlinable var observer: Observer<Value> {
    Observer(
      source, conflates: limit == 1, onNext: { self.receive(.next($0)) }, onEnd: { self.receive(.end($0)) })
  }

  @inlinable var isCurrent: Bool { isOnScheduler() }

  @usableFromInline func isOnScheduler() -> Bool { turns.isCurrent }

  /// Delivers an event after the queued events: immediately if the caller is known to be on the scheduler,
  /// otherwise on the next turn (V9).
  @inlinable func receive(_ event: StreamEvent<Value>) {
    let isHere = isOnScheduler()
    // The dropped event is released when this method returns, after the lock is released.
    var dropped: StreamEvent<Value>?
    let isNeeded = state.withLock { state -> Bool in
      // The end displaces no value.
      if case .next = event, unsafe queued.count >= limit { dropped = unsafe queued.popFirst() }
      unsafe queued.append(event)
      if state.delivery != .none {
        if isHere { state.delivery = .extended }
        return false
      }
      if isHere {
        state.delivery = .running
        return true
      }
      defer { state.isTurnRequested = true }
      return !state.isTurnRequested
    }
    if isNeeded { isHere ? deliver() : requestTurn() }
    withExtendedLifetime(dropped) {}
  }

  @usableFromInline func requestTurn() { turns.ask(for: self) }

  package func wake(_ cause: WakeCause) {
    guard case .turn = cause else {
      // The scheduler can no longer deliver (S7).
      return downstream.subscription.remove()
    }
    let delivers = state.withLock { state -> Bool in
      state.isTurnRequested = false
      // On a concurrent queue a delivery may be in progress. It requests another turn at its end.
      guard state.delivery == .none else { return false }
      state.delivery = .running
      return true
    }
    if delivers { deliver() }
  }

  /// Delivers the queued events, and the events that are sent on the scheduler during this delivery.
  @usableFromInline func deliver() {
    var hasMore = true
    while hasMore {
      var batch = Fifo<StreamEvent<Value>>()
      state.withLock { state in
        state.delivery = .running
        unsafe swap(&batch, &queued)
      }
      while let event = batch.popFirst() { downstream.accept(event) }
      hasMore = state.withLock { $0.delivery == .extended }
    }
    let needsTurn = state.withLock { state -> Bool in
      state.delivery = .none
      guard unsafe !queued.isEmpty && !state.isTurnRequested else { return false }
      state.isTurnRequested = true
      return true
    }
    if needsTurn { requestTurn() }
  }

  /// Ends the subscription to the source, and drops the queued events.
  @usableFromInline override func disconnect(_ subscription: Subscription) {
    source.remove()
    var batch = Fifo<StreamEvent<Value>>()
    state.withLock { _ in unsafe swap(&batch, &queued) }
  }
}
