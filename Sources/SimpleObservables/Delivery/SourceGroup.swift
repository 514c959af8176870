internal import SimpleEvents
internal import Synchronization

/// The subscriptions of one observer to several sources, each released when its source has ended.
final class SourceGroup: Upstream, @unchecked Sendable {
  // SAFETY: the subscriptions are behind the lock.

  /// A place in the group.
  struct Place {
    let subscription: Subscription
    let index: Int
    let generation: Int
  }

  private struct State {
    var isClosed: Bool = false
    var subscriptions: ContiguousArray<Subscription?> = []
    /// The places whose sources have ended.
    var vacancies: ContiguousArray<Int> = []

    var isEmpty: Bool { subscriptions.count == vacancies.count }
  }

  /// Guards the subscriptions. They are removed, and released, after the lock.
  private let state: Guarded<State> = Guarded(State())
  /// The number of times that all sources have been left for new ones.
  ///
  /// Changed under the lock. Relaxed, because it carries no data: a value of a source that is being left on another thread
  /// comes as if it had been left a moment later.
  private let generation: Atomic<Int> = Atomic(0)

  /// Adds a subscription for a source; nil if the group has been closed.
  func open() -> Place? {
    let subscription = Subscription()
    return state.withLock { state -> Place? in
      guard !state.isClosed else { return nil }
      let generation = generation.load(ordering: .relaxed)
      if let index = state.vacancies.popLast() {
        state.subscriptions[index] = subscription
        return Place(subscription: subscription, index: index, generation: generation)
      }
      state.subscriptions.append(subscription)
      return Place(
        subscription: subscription, index: state.subscriptions.count - 1, generation: generation)
    }
  }

  /// Whether the sources of a generation have not been left.
  func isCurrent(_ generation: Int) -> Bool { generation == self.generation.load(ordering: .relaxed) }

  /// Releases the subscription to a source that has ended; returns whether no other one is left.
  @discardableResult
  func close(_ index: Int, generation: Int = 0) -> Bool {
    let (isLast, old) = state.withLock { state -> (Bool, Subscription?) in
      guard isCurrent(generation), index < state.subscriptions.count else { return (false, nil) }
      let old = state.subscriptions[index].take()
      if old != nil { state.vacancies.append(index) }
      let isLast = old != nil && state.isEmpty
      // The memory of many sources is given back (V7).
      if isLast { (state.subscriptions, state.vacancies) = ([], []) }
      return (isLast, old)
    }
    withExtendedLifetime(old) {}
    return isLast
  }

  /// Whether no source is left.
  var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// Ends the subscriptions, so that new sources can take their places.
  func leaveAll() {
    let old = state.withLock { state -> State in
      let old = state
      guard !old.isEmpty else { return old }
      state = State(isClosed: old.isClosed)
      generation.wrappingAdd(1, ordering: .relaxed)
      return old
    }
    for subscription in old.subscriptions { subscription?.remove() }
  }

  /// Ends the subscriptions for good.
  override func disconnect(_ subscription: Subscription) {
    let old = state.exchange(State(isClosed: true))
    for subscription in old.subscriptions { subscription?.remove() }
  }
}
