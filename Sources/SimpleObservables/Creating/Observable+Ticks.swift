public import SimpleEvents

extension Observable where Value == EventInstant {
  /// Returns the instants of a clock that runs while there are subscribers.
  ///
  /// Each subscriber has a clock of its own, which starts with the subscription. A subscriber receives the
  /// instant that was due, even if the scheduler is late. Instants that the scheduler has missed entirely are
  /// not sent.
  ///
  /// - Parameters:
  ///   - interval: The time between two instants, and before the first. An interval below one nanosecond
  ///     means one nanosecond, and not the next turn.
  ///   - repeats: Whether more instants follow the first one. If not, the sequence finishes after the first
  ///     instant.
  ///   - scheduler: The scheduler that sends the instants and measures the time.
  public static func ticks(
    every interval: Duration, repeats: Bool = true, on scheduler: some EventScheduler
  ) -> Observable<EventInstant> {
    Operator { observer in
      let subscription = observer.subscription
      let timer = IntervalTimer(
        every: interval, on: scheduler, repeats: repeats,
        loss: { [weak subscription] in subscription?.remove() }
      ) { instant in
        observer.next(instant)
        if !repeats { observer.finish() }
      }
      observer.subscription.add(token: timer)
      timer.arm()
    }
  }
}
