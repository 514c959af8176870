public import SimpleEvents

extension Observable {
  /// The same sequence, delivered on a scheduler.
  ///
  /// A value that is sent on the scheduler is delivered immediately, after the values that wait. A value that is sent elsewhere,
  /// or where the scheduler cannot say, waits for the next turn of the scheduler, which delivers all values that wait by then, in
  /// order (V9). After a subscription was removed on the scheduler, it receives nothing more (E6). If the scheduler is an actor
  /// that has been deallocated, the next value ends the subscription (S7).
  ///
  /// The source is connected on the thread that subscribes. A value that is sent elsewhere crosses threads, so it should
  /// be `Sendable`.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that calls subscribers.
  ///   - backlog: The values that wait for the turn; by default all. With `.latest` one value waits at most, which is
  ///     enough for a subscriber that needs the newest value only, as with a ``Variable``.
  @inlinable @inline(__always)
  public func observe(
    on scheduler: some EventScheduler, keeping backlog: Backlog = .unlimited
  ) -> Observable<Value> {
    observe(by: scheduler, limit: backlog.limit)
  }

  /// Without the type of the scheduler, so that it is specialised for the values also where that type is not known.
  @inlinable
  func observe(by scheduler: any EventScheduler, limit: Int) -> Observable<Value> {
    Operator { [self] downstream in
      let desk = Desk(downstream, on: scheduler, limit: limit)
      downstream.subscription.add(desk)
      connect(desk.observer)
    }
  }
}
