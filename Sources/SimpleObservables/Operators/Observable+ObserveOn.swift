public import SimpleEvents

extension Observable {
  /// The same sequence, told on a scheduler.
  ///
  /// What is sent on the scheduler is passed on at once, with all that waits before it. What is sent
  /// elsewhere is passed on in order on the scheduler's next turn, one turn for all that has come by then.
  /// When a subscription has been removed on the scheduler, nothing more comes.
  ///
  /// A value that is sent elsewhere crosses threads, so it should be `Sendable`.
  ///
  /// - Parameters:
  ///   - scheduler: Where to call subscribers.
  ///   - backlog: What may wait for the turn. By default everything; `.latest` bounds memory where only
  ///     the newest value counts, as with a ``Variable``.
  public func observe(
    on scheduler: some EventScheduler, keeping backlog: Backlog = .unlimited
  ) -> Observable<Value> {
    Observable { [self] downstream in
      let desk = Desk(scheduler, downstream)
      connect(
        under: downstream.subscription,
        onNext: { desk.submit(.next($0), limit: backlog.limit) },
        // The end displaces no value.
        onEnd: { desk.submit(.end($0), limit: .max) })
    }
  }
}
