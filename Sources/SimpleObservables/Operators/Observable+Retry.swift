public import SimpleEvents

extension Observable {
  /// Returns the same sequence, with a new subscription to the source after an error.
  ///
  /// Each subscription connects to the source again. For a source of ``create(fileID:line:_:)``, the closure
  /// runs again. A subject that has failed fails again.
  ///
  /// - Parameter count: The number of further subscriptions after the first one, counted for each subscriber.
  ///   The error of the last subscription is sent to the subscriber. With zero or less, there is no retry.
  public func retry(_ count: Int) -> Observable<Value> {
    Operator { [self] downstream in Retries(self, downstream, rule: .count(count)).begin() }
  }

  /// Returns the same sequence, with a new subscription to the source some time after an error.
  ///
  /// ```swift
  /// let prices = connection.retry(.exponential(initial: .seconds(1)).maximum(.seconds(60)), on: queue)
  /// ```
  ///
  /// A value resets the number of consecutive failures. If the backoff does not retry an error, the error is
  /// sent to the subscriber. The latest error is also sent if the scheduler can no longer run work (S7).
  ///
  /// - Parameters:
  ///   - backoff: The waits between an error and the next subscription, counted for each subscriber.
  ///   - scheduler: The scheduler that makes the later subscriptions, and whose clock measures the waits. It
  ///     should be serial. If a wait ends while another thread is still connecting to the source, that thread
  ///     makes the next subscription.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public func retry(
    _ backoff: Backoff, on scheduler: some EventScheduler, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Observable<Value> {
    backoff.flagIfNotANumber(
      DiagnosticSubject(publicType, label: nil, misuse: .debugTrap, fileID: fileID, line: line))
    return Operator { [self] downstream in
      Retries(self, downstream, rule: .backoff(backoff, scheduler)).begin()
    }
  }
}

/// The rule by which a source is subscribed to again.
private enum RetryRule {
  /// A new subscription is made immediately, at most the given number of times.
  case count(Int)
  /// A new subscription is made after a wait on a scheduler.
  case backoff(Backoff, any EventScheduler)
}

/// The current part of a sequence of attempts.
private enum RetryPart {
  case none
  case subscription(Subscription)
  case wait(PendingSleep)

  func remove() {
    switch self {
    case .none: break
    case .subscription(let subscription): subscription.remove()
    case .wait(let sleep): sleep.cancel()
    }
  }
}

/// The subscriptions of one subscriber to a source that fails, one at a time.
private final class Retries<Value>: StepQueue<Void>, @unchecked Sendable {
  // SAFETY: the proof of the superclass holds. One subscription ends before the next step begins, so one
  // thread at a time uses the number of failures.

  private let source: Observable<Value>
  private let downstream: Observer<Value>
  private let rule: RetryRule
  /// The number of errors. With a backoff, only errors since the latest value are counted.
  private var failures: Int = 0
  /// Guards the part in progress. It is removed, and released, after the lock is released.
  private let part: Guarded<RetryPart> = Guarded(.none)

  init(_ source: Observable<Value>, _ downstream: Observer<Value>, rule: RetryRule) {
    self.source = source
    self.downstream = downstream
    self.rule = rule
    super.init()
  }

  func begin() {
    downstream.subscription.add(self)
    start()
  }

  /// Connects in a step. If the source fails while it is being connected, it is connected again after the
  /// step, without nesting.
  private func start() { submit(()) { connect() } }

  override func drain() { drain { [self] _ in connect() } }

  private func connect() {
    let upstream = Subscription()
    hold(.subscription(upstream))
    source.connect(
      Observer(
        upstream, conflates: downstream.conflates,
        onNext: { [self] value in
          if case .backoff = rule { failures = 0 }
          downstream.next(value)
        }, onEnd: { [self] in end($0, of: upstream) }))
  }

  private func end(_ completion: Completion, of upstream: Subscription) {
    guard case .failed(let error) = completion else { return downstream.end(completion) }
    // The source may have one resource for all subscriptions, so the resource is released before the next
    // subscription.
    upstream.disconnect()
    failures += 1
    switch rule {
    case .count(let count):
      failures > count ? downstream.end(completion) : start()
    case .backoff(let backoff, let scheduler):
      guard let delay = backoff.delay(after: failures, error) else { return downstream.end(completion) }
      let wait = PendingSleep()
      hold(.wait(wait))
      wait.begin(on: scheduler, until: scheduler.now.advanced(by: delay), tolerance: .zero) { [self] end in
        // After a removal, `downstream.end` has no effect.
        end == .reached ? start() : downstream.end(completion)
      }
    }
  }

  /// Stores a part for a later removal. Removes the part immediately if the subscriber is already removed.
  private func hold(_ next: RetryPart) {
    _ = part.exchange(next)
    if !downstream.isActive { next.remove() }
  }

  override func disconnect(_ subscription: Subscription) { part.exchange(.none).remove() }
}
