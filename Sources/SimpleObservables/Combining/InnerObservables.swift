internal import SimpleEvents
internal import Synchronization

/// How the inner observables are connected.
enum InnerOrder {
  /// All inner observables are connected at the same time.
  case merged
  /// Only the newest inner observable is connected. It replaces the previous one.
  case newest
  /// An inner observable is connected when the previous one has finished.
  case concatenated
}

/// A step of an observer of inner observables.
enum InnerStep<Value> {
  case next(Value, from: InnerSubscription)
  case end(Completion, of: InnerSubscription)
  case sourceEnd(Completion)
}

/// A subscription to an observable that a function has returned for a value.
final class InnerSubscription: Subscription, @unchecked Sendable {
  // SAFETY: the proof of the superclass holds. The lock of the inner observables guards the index.

  /// Whether a newer observable has replaced this one.
  ///
  /// The ordering is relaxed, because the flag carries no data: a value that races with the replacement is
  /// delivered as if the replacement had come later.
  let isReplaced: Atomic<Bool> = Atomic(false)
  fileprivate var index: Int = 0

  var isCurrent: Bool { !isReplaced.load(ordering: .relaxed) }
}

/// The observer of the inner observables of an operator such as `flatMap`. A function returns an inner
/// observable for each value of the source.
///
/// The observer finishes when the source and all inner observables have finished. It passes the first error
/// on.
final class InnerObservables<Output>: StepQueue<InnerStep<Output>>, @unchecked Sendable {
  // SAFETY: the proof of the superclass holds. The subscriptions are behind a lock.

  let downstream: Observer<Output>
  private let source: Subscription = Subscription()
  private let order: InnerOrder
  /// Guards the subscriptions. They are connected, removed and released after the lock is released.
  private let state: Guarded<InnerSubscriptions> = Guarded(InnerSubscriptions())
  /// Whether the source has finished, so that no more observables can come.
  ///
  /// SAFETY: the steps of the queue use the property, one at a time.
  @exclusivity(unchecked) private var isSourceFinished: Bool = false

  init(_ downstream: Observer<Output>, order: InnerOrder) {
    self.downstream = downstream
    self.order = order
    super.init()
    downstream.subscription.add(self)
  }

  /// Connects the source. A function returns the inner observables for the values of the source.
  func connect<Value>(_ values: Observable<Value>, _ transform: @escaping (Value) -> Observable<Output>) {
    values.connect(
      Observer(
        source,
        onNext: { [self] value in
          if order == .newest { replaceAll() }
          add(transform(value))
        },
        onEnd: { [self] completion in submit(.sourceEnd(completion)) { close(completion) } }))
  }

  private func replaceAll() {
    let old = state.withLock { state -> ContiguousArray<InnerSubscription> in
      for subscription in state.connected { subscription.isReplaced.store(true, ordering: .relaxed) }
      defer { state.connected = [] }
      return state.connected
    }
    for subscription in old { subscription.remove() }
  }

  private func add(_ observable: Observable<Output>) {
    let subscription = state.withLock { state -> InnerSubscription? in
      if order == .concatenated, !state.connected.isEmpty {
        state.queued.append(InnerSubscriptions.Connection { [self] in connect(observable, $0) })
        return nil
      }
      return state.open()
    }
    if let subscription { connect(observable, subscription) }
  }

  private func connect(_ observable: Observable<Output>, _ subscription: InnerSubscription) {
    observable.connect(
      Observer(
        subscription, onNext: { [self] in send($0, from: subscription) },
        onEnd: { [self] completion in
          submit(.end(completion, of: subscription)) { close(subscription, completion) }
        }))
  }

  private func send(_ value: Output, from inner: InnerSubscription) {
    submit(.next(value, from: inner)) { deliver(value, from: inner) }
  }

  override func drain() { drain { [self] in perform($0) } }

  private func perform(_ step: InnerStep<Output>) {
    switch step {
    case .next(let value, let inner): deliver(value, from: inner)
    case .end(let completion, let inner): close(inner, completion)
    case .sourceEnd(let completion): close(completion)
    }
  }

  private func deliver(_ value: Output, from inner: InnerSubscription) {
    // If the inner observable was replaced while its value was queued, the value is dropped.
    if inner.isCurrent { downstream.next(value) }
  }

  private func close(_ inner: InnerSubscription, _ completion: Completion) {
    guard inner.isCurrent else { return }
    if case .failed = completion { return downstream.end(completion) }
    let (next, isLast) = state.withLock { state in
      state.close(inner)
      let next = state.openNext()
      return (next, state.connected.isEmpty)
    }
    if let (connection, subscription) = next {
      // The observables may share one resource, so the resource is released before the next observable is
      // connected.
      inner.disconnect()
      connection.connect(subscription)
    }
    if isLast, unsafe isSourceFinished { downstream.finish() }
  }

  private func close(_ completion: Completion) {
    if case .failed = completion { return downstream.end(completion) }
    unsafe isSourceFinished = true
    if state.withLock({ $0.connected.isEmpty }) { downstream.finish() }
  }

  /// Disconnects the source and the inner observables.
  override func disconnect(_ subscription: Subscription) {
    source.remove()
    for inner in state.exchange(InnerSubscriptions(isClosed: true)).connected { inner.remove() }
  }
}

/// The subscriptions to inner observables. The type is not generic over the values, so that the code is
/// compiled once.
private struct InnerSubscriptions {
  /// Connects a subscription to a queued observable.
  struct Connection {
    let connect: (InnerSubscription) -> Void
  }

  var isClosed: Bool = false
  /// The connected subscriptions, in no order.
  var connected: ContiguousArray<InnerSubscription> = []
  /// The observables that are not connected yet, because another one has not finished.
  var queued: Fifo<Connection> = Fifo()

  /// Adds a subscription; returns nil after the end.
  mutating func open() -> InnerSubscription? {
    guard !isClosed else { return nil }
    let subscription = InnerSubscription()
    subscription.index = connected.count
    connected.append(subscription)
    return subscription
  }

  /// Adds a subscription for the first queued observable if no observable is connected.
  mutating func openNext() -> (Connection, InnerSubscription)? {
    guard connected.isEmpty, !queued.isEmpty, let subscription = open() else { return nil }
    return queued.popFirst().map { ($0, subscription) }
  }

  /// Removes a subscription, and moves the last subscription to its index.
  mutating func close(_ subscription: InnerSubscription) {
    guard subscription.index < connected.count, connected[subscription.index] === subscription else { return }
    let last = connected.removeLast()
    if last !== subscription {
      last.index = subscription.index
      connected[last.index] = last
    }
    // The memory of a burst is released (V7).
    if connected.isEmpty && connected.capacity > 16 { connected = [] }
  }
}
