public import SimpleEvents

extension Observable where Value == EventInstant {
  /// The instants of a clock that goes for as long as somebody listens.
  ///
  /// Each subscriber has a clock of its own, which starts with the subscription. When the scheduler comes
  /// late the instant told is the one that was due; instants that it has missed altogether are left out.
  ///
  /// - Parameters:
  ///   - interval: The time between instants, and before the first; at least a nanosecond.
  ///   - scheduler: Where to tell them, and what tells the time.
  public static func ticks(
    every interval: Duration, on scheduler: some EventScheduler
  ) -> Observable<EventInstant> {
    Observable { observer in
      let timer = PacedTimer(every: interval, on: scheduler, repeats: true) { observer.next($0) }
      observer.subscription.add(timer)
      timer.arm()
    }
  }
}
