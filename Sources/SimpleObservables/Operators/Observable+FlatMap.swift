internal import SimpleEvents

extension Observable {
  /// The values of all the observables that a function makes of this one's values, as they come.
  ///
  /// Finishes when this observable has finished and all that were made of it, and fails with the first
  /// that does.
  ///
  /// - Parameter transform: Called with each value, once for each subscriber.
  public func flatMap<Output>(
    _ transform: @escaping (Value) -> Observable<Output>
  ) -> Observable<Output> {
    flatMap(latestOnly: false, transform)
  }

  /// The values of the newest of the observables that a function makes of this one's values.
  ///
  /// Each value of this observable ends the subscription to what was made of the one before. Finishes when
  /// this observable has finished and the newest that was made of it.
  ///
  /// - Parameter transform: Called with each value, once for each subscriber.
  public func flatMapLatest<Output>(
    _ transform: @escaping (Value) -> Observable<Output>
  ) -> Observable<Output> {
    flatMap(latestOnly: true, transform)
  }

  private func flatMap<Output>(
    latestOnly: Bool, _ transform: @escaping (Value) -> Observable<Output>
  ) -> Observable<Output> {
    Observable<Output> { [self] downstream in
      let parts = Parts(downstream)
      downstream.subscription.add(parts)
      connect(
        under: downstream.subscription,
        onNext: { value in
          if latestOnly {
            parts.removeAll()
          }
          parts.connect(transform(value))
        },
        onEnd: { parts.sourceEnded($0) })
    }
  }
}

/// The observables that a flat map is subscribed to, and whether more can come.
private final class Parts<Output>: SimpleEventToken {
  private enum Step {
    case next(Output, from: Subscription)
    case end(Completion, of: Subscription?)
  }

  private struct State {
    var isClosed: Bool = false
    var isSourceFinished: Bool = false
    var subscriptions: [ObjectIdentifier: Subscription] = [:]
  }

  private let downstream: Observer<Output>
  private let line: SerialLine<Step> = SerialLine()
  /// Guards the subscriptions to the parts. They are removed, and let go, after the lock.
  private let state: Guarded<State> = Guarded(State())

  init(_ downstream: Observer<Output>) {
    self.downstream = downstream
  }

  func connect(_ part: Observable<Output>) {
    let subscription = Subscription()
    let isWanted = state.withLock { state -> Bool in
      guard !state.isClosed else { return false }
      state.subscriptions[ObjectIdentifier(subscription)] = subscription
      return true
    }
    guard isWanted else { return }
    part.connect(
      Observer(
        subscription,
        onNext: { [self] in line.submit(.next($0, from: subscription), to: perform) },
        onEnd: { [self] in line.submit(.end($0, of: subscription), to: perform) }))
  }

  func sourceEnded(_ completion: Completion) {
    line.submit(.end(completion, of: nil), to: perform)
  }

  /// Ends the subscriptions to the parts that there are.
  func removeAll() {
    removeAll(close: false)
  }

  /// Ends them for good.
  func remove() {
    removeAll(close: true)
  }

  private func removeAll(close: Bool) {
    let old = state.withLock { state -> [ObjectIdentifier: Subscription] in
      let old = state.subscriptions
      state.subscriptions = [:]
      state.isClosed = state.isClosed || close
      return old
    }
    for subscription in old.values {
      subscription.remove()
    }
  }

  private func perform(_ step: Step) {
    switch step {
    case .next(let value, let part):
      // A part that was removed while its value waited does not count any more; one that has ended does.
      if isCurrent(part) {
        downstream.next(value)
      }
    case .end(.failed(let error), let part):
      if part.map(isCurrent) ?? true {
        downstream.fail(error)
      }
    case .end(.finished, let part):
      let isLast = state.withLock { state -> Bool in
        if let part {
          guard state.subscriptions.removeValue(forKey: ObjectIdentifier(part)) != nil else { return false }
        } else {
          state.isSourceFinished = true
        }
        return state.isSourceFinished && state.subscriptions.isEmpty
      }
      if isLast {
        downstream.finish()
      }
    }
  }

  private func isCurrent(_ part: Subscription) -> Bool {
    state.withLock { $0.subscriptions[ObjectIdentifier(part)] != nil }
  }
}

// SAFETY: the observer's closures are plain ones. The line calls them one at a time; the subscriptions are
// behind the lock.
extension Parts: @unchecked Sendable {}
