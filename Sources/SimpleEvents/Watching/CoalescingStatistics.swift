/// The sums over all deliveries of a coalescing object, and its state, at one instant.
///
/// The counts belong together: ``signalCount`` is the sum of ``deliveredSignalCount``,
/// ``discardedSignalCount``, ``runningSignalCount`` and ``pendingSignalCount`` (W2).
public struct CoalescingStatistics: Sendable {
  /// The instant of the snapshot, on the clock of the scheduler.
  public internal(set) var now: EventInstant
  /// The number of accepted signals. A signal that the policy ignores, or that comes after the end, is not
  /// accepted.
  public package(set) var signalCount: Int = 0
  /// The number of deliveries that are over.
  public package(set) var deliveryCount: Int = 0
  /// The number of signals that the deliveries have answered.
  public package(set) var deliveredSignalCount: Int = 0
  /// The number of signals that were pending and were not delivered.
  ///
  /// The signals were dropped by `cancel()`, by a loop that ignores requests while it runs, at the end of the
  /// object, or because the scheduler can no longer run work (S7).
  public package(set) var discardedSignalCount: Int = 0
  /// The number of elements that a limit has dropped, or that a leading-only policy has ignored (C9).
  ///
  /// The elements are counted when the next batch is delivered. If that batch is discarded, they are not
  /// counted.
  public package(set) var droppedCount: Int = 0
  /// The number of runs that have failed. A cancelled run does not count.
  public package(set) var failureCount: Int = 0
  /// The number of runs that have failed since the last success.
  ///
  /// In an object with keys, the success of any key resets the number, and ``failingKeyCount`` says whether
  /// keys still fail.
  public internal(set) var consecutiveFailureCount: Int = 0
  /// The description of the latest error of a run; nil if no run has failed. It stays when a later run
  /// succeeds.
  public internal(set) var latestError: String?
  /// The instant of the latest error of a run; nil if no run has failed.
  public internal(set) var latestErrorInstant: EventInstant?

  /// The number of signals that the next delivery will answer.
  public package(set) var pendingSignalCount: Int = 0
  /// The instant of the first pending signal; nil if there is none.
  public internal(set) var pendingSince: EventInstant?
  /// The number of signals that the delivery in progress answers.
  public package(set) var runningSignalCount: Int = 0
  /// The start of the delivery in progress; nil if there is none.
  public internal(set) var runningSince: EventInstant?
  /// The number of pending keys; zero for an object without keys.
  public package(set) var pendingKeyCount: Int = 0
  /// The number of keys whose deliveries are in progress; zero for an object without keys.
  public package(set) var runningKeyCount: Int = 0
  /// The number of keys whose latest runs have failed and are to be repeated; zero for an object without
  /// keys.
  public package(set) var failingKeyCount: Int = 0
  /// The description of the key with the first pending signal; nil if no key has a pending signal.
  public internal(set) var oldestKey: String?
  /// Whether the object has ended. An ended object accepts no further signal.
  public internal(set) var isEnded: Bool = false

  /// The sum of the times from the first signal to the start of a delivery.
  public package(set) var totalLatency: Duration = .zero
  /// The longest time from the first signal to the start of a delivery.
  public package(set) var longestLatency: Duration = .zero
  /// The sum of the durations of the deliveries.
  public package(set) var totalDuration: Duration = .zero
  /// The longest duration of a delivery.
  public package(set) var longestDuration: Duration = .zero

  /// The number of signals for each delivery, on average; zero before the first delivery.
  public var signalsPerDelivery: Double {
    deliveryCount == 0 ? 0 : Double(deliveredSignalCount) / Double(deliveryCount)
  }
}

extension CoalescingStatistics {
  /// The time for which the first pending signal has waited; nil if no signal is pending.
  public var pendingTime: Duration? { pendingSince.map { $0.duration(to: now) } }

  /// The duration of the delivery in progress so far; nil if there is none.
  public var runningTime: Duration? { runningSince.map { $0.duration(to: now) } }

  /// The time since the latest error of a run; nil if no run has failed.
  public var latestErrorAge: Duration? { latestErrorInstant.map { $0.duration(to: now) } }

  /// The average time from the first signal to the start of a delivery; zero before the first delivery.
  ///
  /// A delivery without a signal, for example a retry, counts with a time of zero.
  public var averageLatency: Duration { deliveryCount == 0 ? .zero : totalLatency / deliveryCount }

  /// The average duration of a delivery; zero before the first delivery.
  public var averageDuration: Duration { deliveryCount == 0 ? .zero : totalDuration / deliveryCount }

  /// Creates sums that are zero. Their instant has no meaning.
  package init() { self.init(now: .distantFuture) }
}
