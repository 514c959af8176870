internal import SimpleEvents

/// The largest rate of deliveries.
package struct RunRate: Equatable, Sendable {
  /// The number of deliveries in a period, from one to the number of its nanoseconds.
  package var count: Int
  /// The nanoseconds of a period, at least one.
  package var period: Int64
  /// The number of deliveries that may follow each other immediately after a pause.
  package var burst: Int = 1

  package init(_ count: Int, period: Int64) {
    self.count = count
    self.period = period
  }

  /// A limiter for the rate. A burst that would take longer than 292 years is shortened to that.
  func limiter(on scheduler: some EventScheduler) -> RateLimiter {
    let interval = (period - 1) / Int64(count) + 1
    return RateLimiter(
      count, per: .nanoseconds(period), burst: min(burst, Int(Int64.max / interval)), on: scheduler)
  }
}
