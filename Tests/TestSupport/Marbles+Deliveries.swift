package import SimpleEvents
package import SimpleEventsTesting

extension Marbles {
  /// The deliveries that a policy makes of these events, each named after its newest event.
  ///
  /// - Parameters:
  ///   - policy: The policy of a callback that the events signal.
  ///   - time: A scheduler whose time has not moved.
  ///   - scheduler: The scheduler of the callback, on that time; nil for the test scheduler itself.
  ///   - unit: The time of a column.
  package func deliveries(
    by policy: CoalescingPolicy, in time: TestScheduler = TestScheduler(),
    on scheduler: (any EventScheduler)? = nil, unit: Duration = .milliseconds(1)
  ) -> Marbles {
    let start = time.now
    let scheduler: any EventScheduler = scheduler ?? time
    let newest = Guarded<Character>("?")
    let deliveries = MarbleLog(on: time, unit: unit)
    let callback = CoalescingCallback(on: scheduler, policy: policy) { @Sendable in
      deliveries.add(newest.withLock { $0 })
    }
    for event in marks {
      time.schedule(at: start.advanced(by: unit * event.column)) {
        _ = newest.exchange(event.symbol)
        callback.schedule()
      }
    }
    time.run()
    withExtendedLifetime(callback) {}
    return deliveries.marbles
  }
}
