internal import SimpleEvents

extension Observable {
  /// The same sequence, with a new subscription to the source after an error.
  ///
  /// Each subscription connects to the source anew, as ``create(fileID:line:_:)`` does. A subject that has
  /// failed fails again.
  ///
  /// - Parameter count: The number of further subscriptions after the first one, counted for each subscriber.
  ///   The error after the last one is sent to the subscriber. Zero or less retries never.
  public func retry(_ count: Int) -> Observable<Value> {
    Operator { [self] downstream in
      let retries = Retries(self, downstream, count: count)
      downstream.subscription.add(retries)
      retries.start()
    }
  }
}

/// The subscriptions of one subscriber to a source that fails, one after the other.
private final class Retries<Value>: StepQueue<Void>, @unchecked Sendable {
  // SAFETY: as its superclass. One subscription ends before the next step begins, so the count is used by one
  // thread at a time.

  private let source: Observable<Value>
  private let downstream: Observer<Value>
  private var left: Int
  /// Guards the subscription to the source. It is removed, and released, after the lock.
  private let present: Guarded<Subscription?> = Guarded(nil)

  init(_ source: Observable<Value>, _ downstream: Observer<Value>, count: Int) {
    self.source = source
    self.downstream = downstream
    left = count
    super.init()
  }

  /// Connects in a step, so that a source that fails while it is connected is not connected again inside
  /// that.
  func start() { submit(()) { connect() } }

  override func drain() { drain({ connect() }, again: { [self] in drain() }) }

  private func connect() {
    let upstream = Subscription()
    _ = present.exchange(upstream)
    // A removal that came before has not found this subscription.
    if !downstream.isActive { upstream.remove() }
    source.connect(
      downstream.under(upstream) { [self] completion in
        guard case .failed = completion, left > 0 else { return downstream.end(completion) }
        left -= 1
        start()
      })
  }

  override func disconnect(_ subscription: Subscription) { present.exchange(nil)?.remove() }
}
