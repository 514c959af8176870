public import SimpleEvents

extension Observable {
  /// The newest value of this observable at regular instants, if there is a new one.
  ///
  /// The instants are counted from the subscription. A timer is armed only while a value waits, so a source that sends
  /// nothing costs nothing.
  ///
  /// When this observable finishes, a value that waits is sent at once, and then the end. When it fails, a value that
  /// waits is dropped. Values and the end are sent on the scheduler, which should be serial.
  ///
  /// - Parameters:
  ///   - interval: The time between two instants; zero or less means the next turn.
  ///   - scheduler: The scheduler that calls subscribers, and the source of time. A value that is sent elsewhere crosses
  ///     threads.
  public func sample(every interval: Duration, on scheduler: some EventScheduler) -> Observable<Value> {
    guard interval > .zero else { return coalesced(on: scheduler, policy: .nextTurn) }
    return Operator(after: depth) { [self] downstream in
      let desk = ConflatingDesk(scheduler, downstream)
      let timer = PacedTimer(every: interval, on: scheduler, repeats: false) { _ in desk.deliver() }
      downstream.subscription.add(token: timer)
      connect(
        under: downstream.subscription, conflates: true,
        onNext: { value in
          desk.put(value)
          timer.arm()
        },
        onEnd: { completion in
          timer.remove()
          desk.end(completion)
        })
    }
  }
}
