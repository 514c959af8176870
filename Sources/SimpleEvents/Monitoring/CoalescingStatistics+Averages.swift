extension CoalescingStatistics {
  /// The time for which the first pending signal has waited; nil if none is pending.
  public var pendingTime: Duration? { pendingSince.map { $0.duration(to: now) } }

  /// The duration of the delivery in progress so far; nil if there is none.
  public var runningTime: Duration? { runningSince.map { $0.duration(to: now) } }

  /// The average time from the first signal to the start of a delivery; zero before the first delivery.
  ///
  /// A delivery without a signal, for example a retry, counts with a time of zero.
  public var averageLatency: Duration { deliveries == 0 ? .zero : totalLatency / deliveries }

  /// The average duration of a delivery; zero before the first one.
  public var averageDuration: Duration { deliveries == 0 ? .zero : totalDuration / deliveries }

  /// Adds the counts of another source. Instants are left out, because two sources may have different clocks.
  mutating func add(_ other: CoalescingStatistics) {
    signals += other.signals
    deliveries += other.deliveries
    deliveredSignals += other.deliveredSignals
    discardedSignals += other.discardedSignals
    dropped += other.dropped
    failures += other.failures
    pendingSignals += other.pendingSignals
    runningSignals += other.runningSignals
    totalLatency += other.totalLatency
    longestLatency = max(longestLatency, other.longestLatency)
    totalDuration += other.totalDuration
    longestDuration = max(longestDuration, other.longestDuration)
  }
}
