public import SimpleEvents

extension Observable where Value: Sendable {
  /// Waits for the first value.
  ///
  /// Subscribes on the actor of the caller. An `async let` and a child task do not run on the actor of the
  /// code around them, so a call in them does not subscribe on that actor.
  ///
  /// - Returns: The value; nil if the sequence finishes without one, or if the source releases its observer.
  /// - Throws: The error of the sequence, or `CancellationError` if the task is cancelled before there is a
  ///   value. A value that is sent while this method subscribes is returned even then.
  public func first() async throws -> Value? {
    for try await value in take(1).values {
      return value
    }
    try Task.checkCancellation()
    return nil
  }

  /// Waits for the first value, but not longer than a timeout.
  ///
  /// Subscribes on the actor of the caller, as ``first()`` does.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait. Zero or less accepts only a value that is sent while this method
  ///     subscribes.
  ///   - scheduler: The scheduler whose clock measures the timeout.
  /// - Returns: The value; nil if the timeout has passed or the sequence has finished before there was a
  ///   value, or if the scheduler can no longer run work (S7).
  /// - Throws: The error of the sequence, or `CancellationError` if the task is cancelled before there is a
  ///   value. A value that is sent while this method subscribes is returned even then.
  public func first(timeout: Duration, on scheduler: some EventScheduler) async throws -> Value? {
    try await ending(after: timeout, on: scheduler).first()
  }

  /// Returns the same sequence, but finishes it when a timeout has passed.
  private func ending(after timeout: Duration, on scheduler: some EventScheduler) -> Observable<Value> {
    .create { [self] observer in
      // The subscription ends with the observer, even while the source is being connected.
      let upstream = Subscription()
      observer.subscription.add(upstream)
      connect(observer.under(upstream) { observer.end($0) })
      guard timeout > .zero && observer.isActive else {
        observer.finish()
        return {}
      }
      let deadline = scheduler.now.advanced(by: timeout)
      let timeout = Timeout { observer.finish() }
      let alarm = scheduler.arm(deadline, for: timeout)
      return { withExtendedLifetime(timeout) { alarm.cancel() } }
    }
  }
}

/// Ends a wait at its deadline, or when the scheduler can no longer run work (S7).
private final class Timeout: Wakeable {
  private let end: () -> Void

  init(_ end: @escaping () -> Void) { self.end = end }

  func wake(_ cause: WakeCause) { end() }
}
