public import SimpleEvents

extension Observable {
  /// Returns the same sequence, delivered on a scheduler.
  ///
  /// A value that is sent on the scheduler is delivered immediately, after the queued values. A value is
  /// queued for the next turn of the scheduler if it is sent elsewhere, or if the scheduler does not know
  /// where it is sent. That turn delivers all values that are queued by then, in order (V9). After a removal
  /// on the scheduler, the subscriber receives no more values (E6). If the scheduler is an actor that was
  /// deallocated, the next value ends the subscription (S7).
  ///
  /// The source is connected on the thread that subscribes. A value that is sent off the scheduler
  /// passes from one thread to another, so it should be `Sendable`.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that calls subscribers.
  ///   - policy: The values that are kept for the turn. By default all values are kept. With `.newest(1)` at
  ///     most one value is kept. This suffices for a subscriber that needs only the newest value, for example
  ///     of a ``Variable``.
  @inlinable @inline(__always) public func observe(
    on scheduler: some EventScheduler, buffering policy: BufferingPolicy = .unbounded
  ) -> Observable<Value> {
    observe(by: scheduler, limit: policy.limit)
  }

  /// The scheduler is an existential, so that this function is specialised only for the values.
  @inlinable func observe(by scheduler: any EventScheduler, limit: Int) -> Observable<Value> {
    Operator { [self] downstream in
      let scheduled = ScheduledObserver(downstream, on: scheduler, limit: limit)
      downstream.subscription.add(scheduled)
      connect(scheduled.observer)
    }
  }
}
