internal import SimpleEvents

/// The highest rate of deliveries.
package struct RunRate: Equatable, Sendable {
  /// The number of deliveries in a period, at most one per nanosecond.
  package var count: Int
  /// The length of the period in nanoseconds, at least one.
  package var period: Int64
  /// The number of deliveries that, after a pause, need not wait for the rate.
  package var burst: Int = 1

  package init(_ count: Int, period: Int64) {
    self.count = count
    self.period = period
  }

  /// Returns a limiter for the rate. The burst is at most the number of deliveries that the rate allows
  /// in 292 years.
  func limiter(on scheduler: some EventScheduler) -> RateLimiter {
    let interval = (period - 1) / Int64(count) + 1
    return RateLimiter(
      count, per: .nanoseconds(period), burst: min(burst, Int(Int64.max / interval)), on: scheduler)
  }
}
