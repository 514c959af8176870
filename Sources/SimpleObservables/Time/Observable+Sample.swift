public import SimpleEvents

extension Observable {
  /// The newest value of this observable at regular instants, if there is a new one.
  ///
  /// The instants lie an interval apart, counted from the subscription. A timer is armed only when a value
  /// waits for the next one, so a silent source costs nothing.
  ///
  /// When this observable finishes, a value that waits is told at once, and then the end. When it fails,
  /// what waits is dropped, and the error told. All that happens on the scheduler, which should be serial.
  ///
  /// - Parameters:
  ///   - interval: How far the instants lie apart; zero or less is the next turn.
  ///   - scheduler: Where to tell values, and what tells the time. A value sent elsewhere crosses threads.
  public func sample(every interval: Duration, on scheduler: some EventScheduler) -> Observable<Value> {
    guard interval > .zero else { return coalesced(on: scheduler, policy: .nextTurn) }
    return Observable { [self] downstream in
      let desk = ConflatingDesk(scheduler, downstream)
      let timer = PacedTimer(every: interval, on: scheduler, repeats: false) { _ in desk.deliver() }
      downstream.subscription.add(timer)
      connect(
        under: downstream.subscription,
        onNext: { value in
          desk.put(value)
          timer.arm()
        },
        onEnd: { completion in
          timer.remove()
          desk.end(completion, deliversNewest: true)
        })
    }
  }
}
