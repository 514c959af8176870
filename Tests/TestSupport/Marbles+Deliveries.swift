package import SimpleEvents
package import SimpleEventsTesting

extension Marbles {
  /// Returns the deliveries that a policy makes of these events. Each delivery has the name of its newest
  /// event.
  ///
  /// - Parameters:
  ///   - policy: The policy of a callback that the events signal.
  ///   - time: A test scheduler whose time has not moved.
  ///   - scheduler: The scheduler of the callback, with the time of the test scheduler; nil to use the test
  ///     scheduler itself.
  ///   - unit: The time that a column stands for.
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
