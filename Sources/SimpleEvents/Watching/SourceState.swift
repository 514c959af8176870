/// The counts of one source, behind its lock.
///
/// A signal is *pending* until a delivery starts, and then *running*.
struct SourceState {
  struct Signals {
    var count: Int = 0
    /// The instant of the first signal; nil if there is none.
    var first: EventInstant?

    mutating func take() -> Signals {
      defer { self = Signals() }
      return self
    }
  }

  struct Running {
    var signals: Signals
    let start: EventInstant
    let cause: CoalescingDelivery.Cause
  }

  enum Delivery {
    case none
    case running(Running)
    /// The delivery is over, and the monitor receives it.
    case reported
  }

  enum Stage {
    case open
    /// The source has ended with this number of signals, which the monitor has not received.
    case ending(unsent: Int)
    case ended
  }

  /// The receiver of reports; nil after the report of the end.
  private(set) var monitor: (any CoalescingMonitor)?
  /// The reason for the next delivery.
  private var cause: CoalescingDelivery.Cause = .turn
  var pending: Signals = Signals()
  private var delivery: Delivery = .none
  private var stage: Stage = .open
  /// The number of reports that are in progress or to come, besides that of the delivery.
  private var reports: Int = 0
  /// The latest start of a delivery. A signal after it is not earlier, though its clock was read before.
  private var latestStart: EventInstant = EventInstant(nanoseconds: .min)
  private var sums: CoalescingStatistics = CoalescingStatistics(now: .distantFuture)

  init(monitor: (any CoalescingMonitor)? = nil) { self.monitor = monitor }

  /// Takes the monitor, for the caller to release after the lock is released.
  mutating func takeMonitor() -> (any CoalescingMonitor)? {
    defer { monitor = nil }
    return monitor
  }

  mutating func noteSignal(at now: EventInstant?) {
    defer { checkInvariants() }
    sums.signals += 1
    pending.count += 1
    if pending.first == nil { pending.first = now.map { max($0, latestStart) } }
  }

  /// Adds signals that have joined the pending ones.
  mutating func add(joined count: UInt64) {
    defer { checkInvariants() }
    sums.signals += Int(count)
    pending.count += Int(count)
  }

  /// Records the reason for the next delivery. A turn is a reason where there is no other one.
  mutating func note(_ cause: CoalescingDelivery.Cause) {
    if cause != .turn { self.cause = cause }
  }

  /// Records the start of a delivery, which covers the pending signals, except for one for each element that
  /// it leaves. The instants of those are not known: they count from the start.
  mutating func begin(_ cause: CoalescingDelivery.Cause, at now: EventInstant, leaving rest: Int = 0) {
    defer { checkInvariants() }
    note(cause)
    switch delivery {
    case .none:
      // The clock was read before the lock was taken. A signal may have come in between.
      latestStart = max(now, pending.first ?? now)
      var signals = pending.take()
      if min(rest, signals.count) > 0 {
        pending = Signals(count: min(rest, signals.count), first: latestStart)
        signals.count -= pending.count
        if signals.count == 0 { signals.first = nil }
      }
      delivery = .running(Running(signals: signals, start: latestStart, cause: self.cause))
      self.cause = .turn
    case .running, .reported:
      // The object begins no delivery before the report of the previous one (C1).
      break
    }
  }

  /// Ends the delivery, and adds it to the sums; returns nil if there is none to report.
  ///
  /// - Parameter failure: The error in words, unless the run was cancelled.
  mutating func finish(
    at now: EventInstant, of source: CoalescingSource, dropped: Int, error: (any Error)?, isCancelled: Bool,
    failure: String?
  ) -> CoalescingDelivery? {
    defer { checkInvariants() }
    guard case .running(let running) = delivery else { return nil }
    delivery = .reported
    if !isCancelled {
      sums.failures += failure == nil ? 0 : 1
      sums.failuresInRow = failure == nil ? 0 : sums.failuresInRow + 1
      sums.latestError = failure
    }
    let report = CoalescingDelivery(
      source: source, signals: running.signals.count, firstSignal: running.signals.first,
      start: running.start, duration: running.start.duration(to: max(now, running.start)), dropped: dropped,
      cause: running.cause, error: error, isCancelled: isCancelled)
    sums.deliveries += 1
    sums.deliveredSignals += report.signals
    sums.dropped += dropped
    sums.totalDuration += report.duration
    sums.longestDuration = max(sums.longestDuration, report.duration)
    sums.totalLatency += report.latency ?? .zero
    sums.longestLatency = max(sums.longestLatency, report.latency ?? .zero)
    return report
  }

  /// Records that the monitor has received the delivery.
  mutating func noteReported() { delivery = .none }

  /// Takes signals that are going to be discarded.
  mutating func takePending() -> Int {
    defer { checkInvariants() }
    guard case .open = stage else { return 0 }
    let count = pending.take().count
    if count > 0 { reports += 1 }
    sums.discardedSignals += count
    return count
  }

  /// Records that the monitor has received a report.
  mutating func noteReport() { reports -= 1 }

  mutating func end() {
    defer { checkInvariants() }
    guard case .open = stage else { return }
    let unsent = pending.take().count
    sums.discardedSignals += unsent
    stage = .ending(unsent: unsent)
  }

  /// Returns the number of unsent signals if the end is to be reported now: no other report is in progress or
  /// to come.
  mutating func takeEnd() -> Int? {
    guard case .ending(let unsent) = stage, case .none = delivery, reports == 0 else { return nil }
    stage = .ended
    return unsent
  }

  /// - Parameters:
  ///   - now: The present.
  ///   - joined: The number of signals that have joined the pending ones and are not added yet.
  func statistics(at now: EventInstant, joined: UInt64) -> CoalescingStatistics {
    var state = self
    state.add(joined: joined)
    var statistics = state.sums
    statistics.now = max(now, latestStart)
    statistics.pendingSignals = state.pending.count
    statistics.pendingSince = state.pending.first
    if case .running(let running) = delivery {
      statistics.runningSignals = running.signals.count
      statistics.runningSince = running.start
    }
    if case .open = stage {} else { statistics.isEnded = true }
    return statistics
  }

  /// Checks that no signal is counted twice or lost (W2).
  func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      var running = 0
      if case .running(let delivery) = delivery { running = delivery.signals.count }
      invariant(
        sums.signals
          == sums.deliveredSignals + sums.discardedSignals + running + pending.count,
        "W2: every signal is pending, running, delivered or discarded")
      invariant((pending.count == 0) == (pending.first == nil), "W2: pending signals have a first instant")
    #endif
  }
}
