public import SimpleEvents

/// Passes signals to an observer on a scheduler, one at a time: what has come by a turn is delivered on that turn.
@usableFromInline
final class Desk<Value>: Upstream, Wakeable, @unchecked Sendable {
  // SAFETY: signals are behind the lock. They are delivered one at a time, on the scheduler.

  @frozen
  @usableFromInline
  struct State {
    /// Whether a turn has been asked for that has not begun.
    @usableFromInline var isAsked: Bool = false
    @usableFromInline var isDelivering: Bool = false
    /// Whether a signal was sent on the scheduler during the delivery, which delivers it as well.
    @usableFromInline var goesOn: Bool = false

    @inlinable
    init() {}
  }

  /// Guards the signals that wait and the state of the delivery. Signals are delivered, and released, after the lock.
  @usableFromInline let state: Guarded<State> = Guarded(State())
  // SAFETY: used under the lock only, so no two accesses overlap. A check of that at run time would cost as much as the
  // lock, for each value.
  @exclusivity(unchecked) @usableFromInline var waiting: Fifo<Signal<Value>> = Fifo()
  private let turns: TurnSource
  private let downstream: Observer<Value>
  /// The subscription to the source.
  @usableFromInline let source: Subscription = Subscription()
  /// The number of values above which the oldest one is dropped.
  @usableFromInline let limit: Int

  @usableFromInline
  init(_ downstream: Observer<Value>, on scheduler: any EventScheduler, limit: Int) {
    turns = scheduler.turnSource
    self.downstream = downstream
    self.limit = limit
    super.init()
  }

  /// The observer that takes in signals for this.
  @inlinable var observer: Observer<Value> {
    Observer(
      source, conflates: limit == 1, onNext: { self.submit(.next($0)) }, onEnd: { self.submit(.end($0)) })
  }

  @inlinable var isCurrent: Bool { isOnScheduler() }

  @usableFromInline
  func isOnScheduler() -> Bool { turns.isCurrent }

  /// Delivers a signal after those that wait: immediately where the caller is known to be on the scheduler, otherwise on its next
  /// turn (V9).
  @inlinable
  func submit(_ signal: Signal<Value>) {
    let isHere = isOnScheduler()
    // Released when this returns: after the lock.
    var dropped: Signal<Value>?
    let isNeeded = state.withLock { state -> Bool in
      // The end displaces no value.
      if case .next = signal, unsafe waiting.count >= limit { dropped = unsafe waiting.popFirst() }
      unsafe waiting.append(signal)
      if state.isDelivering {
        state.goesOn = state.goesOn || isHere
        return false
      }
      guard isHere || !state.isAsked else { return false }
      state.isDelivering = isHere
      state.isAsked = state.isAsked || !isHere
      return true
    }
    if isNeeded { isHere ? deliver() : ask() }
    withExtendedLifetime(dropped) {}
  }

  @usableFromInline
  func ask() { turns.ask(for: self) }

  package func wake(_ cause: WakeCause) {
    guard case .turn = cause else {
      // Nothing can be delivered any more (S7).
      return downstream.subscription.remove()
    }
    let delivers = state.withLock { state -> Bool in
      state.isAsked = false
      // On a concurrent queue a delivery may be in progress. It asks for another turn at its end.
      guard !state.isDelivering else { return false }
      state.isDelivering = true
      return true
    }
    if delivers { deliver() }
  }

  /// Delivers the signals that wait, and the ones that are sent on the scheduler meanwhile.
  @usableFromInline
  func deliver() {
    var goesOn = true
    while goesOn {
      var batch = Fifo<Signal<Value>>()
      state.withLock { state in
        state.goesOn = false
        unsafe swap(&batch, &waiting)
      }
      while let signal = batch.popFirst() { downstream.accept(signal) }
      goesOn = state.withLock { $0.goesOn }
    }
    let asks = state.withLock { state -> Bool in
      state.isDelivering = false
      guard unsafe !waiting.isEmpty && !state.isAsked else { return false }
      state.isAsked = true
      return true
    }
    if asks { ask() }
  }

  /// Ends the subscription to the source, and drops the signals that wait.
  @usableFromInline
  override func disconnect(_ subscription: Subscription) {
    source.remove()
    var batch = Fifo<Signal<Value>>()
    state.withLock { _ in unsafe swap(&batch, &waiting) }
  }
}
