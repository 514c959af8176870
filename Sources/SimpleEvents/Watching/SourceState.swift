/// The counts of one source. The lock of the source guards them.
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

    /// Takes the signals of a delivery. One signal stays for each element that the delivery leaves.
    ///
    /// The instants of the remaining signals are not known, so these signals count from the start of the
    /// delivery.
    mutating func take(at start: EventInstant, leaving rest: Int) -> Signals {
      var signals = take()
      if min(rest, signals.count) > 0 {
        self = Signals(count: min(rest, signals.count), first: start)
        signals.count -= count
        if signals.count == 0 { signals.first = nil }
      }
      return signals
    }
  }

  typealias KeyReader = @Sendable (_ read: () -> CoalescingStatistics) -> CoalescingStatistics

  struct Running {
    /// The number of the run of a key; zero for any other delivery.
    let id: Int
    var signals: Signals
    let start: EventInstant
    let cause: CoalescingDelivery.Cause
  }

  enum Stage {
    case open
    /// The source has ended with `unsent` signals, and the monitor has not received the end yet.
    case ending(unsent: Int)
    case ended
  }

  /// The receiver of reports; nil after the report of the end.
  var monitor: (any CoalescingMonitor)?
  /// The reason for the next delivery.
  private var cause: CoalescingDelivery.Cause = .turn
  var pending: Signals = Signals()
  /// Whether a further signal joins the pending signals without the lock of the object.
  var isCovering: Bool = false
  /// The delivery in progress, or the runs of several keys.
  private var running: [Running] = []
  /// Adds the counts of keys to the statistics that a function reads; nil for an object without keys.
  var keys: KeyReader?
  private var stage: Stage = .open
  /// The number of reports that are in progress or pending, without the report of the end.
  private var reports: Int = 0
  /// The latest start of a delivery. A signal that is counted after this start gets no earlier instant, even
  /// if the clock was read before the start.
  private var latestStart: EventInstant = EventInstant(nanoseconds: .min)
  private var sums: CoalescingStatistics = CoalescingStatistics(now: .distantFuture)

  init(monitor: (any CoalescingMonitor)? = nil) { self.monitor = monitor }

  mutating func noteSignals(_ count: Int, at now: EventInstant?, covers: Bool = false) {
    defer { checkInvariants() }
    isCovering = isCovering || covers
    sums.signalCount += count
    pending.count += count
    if pending.first == nil { pending.first = now.map { max($0, latestStart) } }
  }

  /// Counts a signal if it may join the pending signals; returns whether it joins.
  mutating func join() -> Bool {
    if isCovering { noteSignals(1, at: nil) }
    return isCovering
  }

  /// Records the reason for the next delivery. A turn does not replace another reason.
  mutating func note(_ cause: CoalescingDelivery.Cause) {
    if cause != .turn { self.cause = cause }
  }

  /// Records the start of a delivery of the pending signals. One signal stays pending for each element that
  /// the delivery leaves.
  mutating func begin(_ cause: CoalescingDelivery.Cause, at now: EventInstant, leaving rest: Int = 0) {
    note(cause)
    guard running.isEmpty else { return }
    // The clock was read before the lock was taken. A signal may have come in between.
    let start = max(now, pending.first ?? now)
    begin(pending.take(at: start, leaving: rest), at: start, leaving: pending)
  }

  /// Records the start of a delivery of some of the pending signals.
  ///
  /// - Parameters:
  ///   - signals: The signals that the delivery answers.
  ///   - start: The start of the delivery.
  ///   - rest: The signals that stay pending.
  ///   - id: The number of the run of a key; zero for any other delivery.
  mutating func begin(
    _ signals: Signals, at start: EventInstant, leaving rest: Signals, run id: Int = 0
  ) {
    defer { checkInvariants() }
    latestStart = max(latestStart, start)
    pending = rest
    running.append(Running(id: id, signals: signals, start: start, cause: cause))
    cause = .turn
  }

  /// Ends a delivery, and adds it to the sums; returns its report, or nil if the delivery was not recorded.
  ///
  /// - Parameter failure: The description of the error; nil if the run has succeeded or was cancelled.
  mutating func endDelivery(
    at now: EventInstant, of source: CoalescingSource, run id: Int, key: (any Sendable)?, dropped: Int,
    error: (any Error)?, isCancelled: Bool, failure: String?
  ) -> CoalescingDelivery? {
    defer { checkInvariants() }
    guard let index = running.firstIndex(where: { $0.id == id }) else { return nil }
    let running = running.remove(at: index)
    reports += 1
    if !isCancelled {
      sums.failureCount += failure == nil ? 0 : 1
      sums.consecutiveFailureCount = failure == nil ? 0 : sums.consecutiveFailureCount + 1
      if let failure { (sums.latestError, sums.latestErrorInstant) = (failure, now) }
    }
    let report = CoalescingDelivery(
      source: source, signalCount: running.signals.count, firstSignal: running.signals.first,
      start: running.start, duration: running.start.duration(to: max(now, running.start)),
      droppedCount: dropped, cause: running.cause, error: error, isCancelled: isCancelled, key: key)
    sums.deliveryCount += 1
    sums.deliveredSignalCount += report.signalCount
    sums.droppedCount += dropped
    sums.totalDuration += report.duration
    sums.longestDuration = max(sums.longestDuration, report.duration)
    sums.totalLatency += report.latency ?? .zero
    sums.longestLatency = max(sums.longestLatency, report.latency ?? .zero)
    return report
  }

  /// Takes signals that are going to be discarded; returns their number.
  ///
  /// - Parameter rest: The signals that stay pending.
  mutating func takePending(leaving rest: Signals = Signals()) -> Int {
    defer { checkInvariants() }
    guard case .open = stage else { return 0 }
    let count = pending.count - rest.count
    pending = rest
    // The reason belongs to the pending signals.
    if rest.count == 0 { cause = .turn }
    if count > 0 { reports += 1 }
    sums.discardedSignalCount += count
    return count
  }

  /// Records that the monitor has received a report.
  mutating func noteReport() { reports -= 1 }

  mutating func end() {
    defer { checkInvariants() }
    guard case .open = stage else { return }
    let unsent = pending.take().count
    sums.discardedSignalCount += unsent
    stage = .ending(unsent: unsent)
  }

  /// Takes the monitor and the number of unsent signals if the end is to be reported now.
  ///
  /// The end is reported when no delivery is in progress and every other report has been made.
  mutating func takeEnd() -> (monitor: any CoalescingMonitor, unsent: Int)? {
    guard case .ending(let unsent) = stage, running.isEmpty, reports == 0 else { return nil }
    stage = .ended
    return monitor.take().map { ($0, unsent) }
  }

  func statistics(at now: EventInstant) -> CoalescingStatistics {
    var statistics = sums
    // The clock was read before the lock was taken. A signal or an error may have come in between.
    statistics.now = max(now, latestStart, pending.first ?? now, sums.latestErrorInstant ?? now)
    statistics.pendingSignalCount = pending.count
    statistics.pendingSince = pending.first
    statistics.runningSignalCount = running.reduce(0) { $0 + $1.signals.count }
    statistics.runningSince = running.first?.start
    statistics.runningKeyCount = keys == nil ? 0 : running.count
    if case .open = stage {} else { statistics.isEnded = true }
    return statistics
  }

  /// Checks that no signal is counted twice or lost (W2).
  func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      let runningCount = running.reduce(0) { $0 + $1.signals.count }
      invariant(
        sums.signalCount
          == sums.deliveredSignalCount + sums.discardedSignalCount + runningCount + pending.count,
        "W2: every signal is pending, running, delivered or discarded")
      invariant((pending.count == 0) == (pending.first == nil), "W2: pending signals have a first instant")
    #endif
  }
}
