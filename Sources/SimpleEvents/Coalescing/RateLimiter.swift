internal import Dispatch
internal import Synchronization

/// A limit for the rate of calls. A caller is admitted or refused, or waits in a task until it is admitted.
///
/// Code that reports progress or writes a log cannot always leave the report to a later delivery. If the code
/// only compared the time with the time of the last report, two threads could report at the same time. A
/// limiter answers immediately, on any thread:
///
/// ```swift
/// let limiter = RateLimiter(every: .milliseconds(100))
/// for (index, file) in files.enumerated() {
///   copy(file)
///   if limiter.tryAcquire() { print("\(index) of \(files.count) files") }
/// }
/// ```
///
/// A task waits for its admission with ``acquire()``.
///
/// A report that is refused is lost, even if it is the last one. If the last state must be shown, use a
/// ``LazySimpleEvent`` or a ``CoalescingCallback`` with ``CoalescingPolicy/throttle(_:edges:)``. That policy
/// delivers the last signal at the end of its window. <doc:RateLimits> compares limiters and policies.
///
/// The algorithm is the generic cell rate algorithm of ITU-T Recommendation I.371, in the form of virtual
/// scheduling. Its state is the theoretical arrival time of the next call, in one atomic word. The algorithm
/// admits the same calls as a bucket of tokens that is full at first (R1).
///
/// Contracts: R1 to R3, see <doc:Contracts>.
public final class RateLimiter: Sendable {
  let scheduler: any EventScheduler
  /// Whether the scheduler is a dispatch queue. The clock of a queue is read without a call of the scheduler,
  /// because reading the clock is most of the cost of an answer.
  private let isQueue: Bool
  let subject: DiagnosticSubject
  /// The instant from which all times are counted. These times are unsigned, so that the sum of 292 years and
  /// of all intervals of a burst is representable.
  private let start: EventInstant
  /// The nanoseconds in which one token is added to the bucket.
  private let interval: UInt64
  /// The nanoseconds in which all tokens of a burst except one are added.
  let tolerance: UInt64
  /// The theoretical arrival time: the nanoseconds from the start to the instant at which the bucket is full.
  ///
  /// While tasks wait, the value is the largest number instead, so that every call is refused (R3).
  ///
  /// All accesses are relaxed, because the word publishes no other memory. An admission replaces the value,
  /// and only one call can replace a given value. No two calls are therefore admitted by the same value.
  let arrival: Atomic<UInt64> = Atomic(0)
  /// Guards the tasks that wait. Tasks are resumed, and the timer is set and cancelled, after the lock is
  /// released.
  let line: Guarded<Line> = Guarded(Line())

  /// Creates a limiter that admits one call in each interval.
  ///
  /// The count is one, the period is the interval, and there is no burst. The other arguments are those of
  /// ``init(_:per:burst:on:label:misuse:fileID:line:)``.
  public convenience init(
    every interval: Duration, on scheduler: some EventScheduler = .main, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(1, per: interval, on: scheduler, label: label, misuse: misuse, fileID: fileID, line: line)
  }

  /// Creates a limiter that admits a number of calls in each period, at equal intervals.
  ///
  /// ```swift
  /// let limiter = RateLimiter(10, per: .seconds(1), burst: 5)
  /// ```
  ///
  /// After a pause, up to `burst` calls are admitted at the same instant, and then one call in each interval.
  /// An argument that is out of its range is flagged; a release build takes the nearest value in the range
  /// (R1).
  ///
  /// - Parameters:
  ///   - count: The number of calls, from one to the number of nanoseconds in the period.
  ///   - period: The time in which that number of calls is admitted, from one nanosecond to 292 years. The
  ///     interval is the period divided by the count, rounded up to a whole nanosecond.
  ///   - burst: The number of calls that may be admitted at the same instant, one or more. That number of
  ///     intervals must not take longer than 292 years.
  ///   - scheduler: The scheduler whose clock measures the rate, and which wakes the tasks that wait.
  ///   - label: The name of the limiter in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public init(
    _ count: Int, per period: Duration, burst: Int = 1, on scheduler: some EventScheduler = .main,
    label: String? = nil, misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    func checked(_ part: String, _ value: Int64, atMost most: Int64) -> Int64 {
      let nearest = min(max(value, 1), most)
      if value != nearest {
        subject.misuse.flag(
          Misuse(
            .rateOutOfRange, subject, at: subject.site, "The \(part) of \(subject.name) is \(value).",
            "Pass one or more, and at most \(most).", release: "it is \(nearest)"))
      }
      return nearest
    }
    // A period that is too long was saturated to the largest number. If the period is below one nanosecond,
    // it is flagged, and the count is not compared with it.
    let given = period.saturatingNanoseconds
    let period = checked("period in nanoseconds", given, atMost: .max - 1)
    let interval = (period - 1) / checked("count", Int64(count), atMost: given < 1 ? .max : period) + 1
    let burst = checked("burst", Int64(burst), atMost: .max / interval)
    self.scheduler = scheduler
    isQueue = scheduler is DispatchQueue
    self.subject = subject
    self.interval = UInt64(interval)
    tolerance = UInt64(interval * (burst - 1))
    start = scheduler.now
  }

  /// The name of the limiter in diagnostics.
  public var label: String? { subject.label }

  /// The nanoseconds since the start. The difference of any two instants is representable without a sign.
  var elapsed: UInt64 {
    let now = isQueue ? EventInstant.uptime : schedulerNow
    return UInt64(bitPattern: max(now, start).nanoseconds &- start.nanoseconds)
  }

  // This property is not inlined, so that a limiter on a queue saves no registers for the call.
  @inline(never) private var schedulerNow: EventInstant { scheduler.now }

  func instant(of elapsed: UInt64) -> EventInstant {
    EventInstant(nanoseconds: Int64(clamping: Int128(start.nanoseconds) + Int128(elapsed)))
  }

  /// Admits the caller, if the rate allows it now.
  ///
  /// The method may be called from any thread. It takes no lock and allocates no memory (R2). While a task
  /// waits in ``acquire()``, every call is refused, so that the task is admitted next (R3).
  ///
  /// - Returns: Whether the caller is admitted.
  /// - Complexity: O(1): one reading of the clock, and one more for each change of the limiter by another
  ///   call in the meantime (R2).
  public func tryAcquire() -> Bool {
    var present = arrival.load(ordering: .relaxed)
    // NB: the clock is read after the word. If the clock were read first, and another call with a later
    // instant were admitted in between, this call would be refused even if there were tokens for both calls.
    while let next = arrival(after: present, at: elapsed) {
      let (isAdmitted, other) = arrival.compareExchange(
        expected: present, desired: next, ordering: .relaxed)
      if isAdmitted { return true }
      present = other
    }
    return false
  }

  /// The arrival time after an admission; nil if the rate does not allow an admission, or if the time is not
  /// representable.
  func arrival(after arrival: UInt64, at now: UInt64) -> UInt64? {
    if arrival > now && arrival - now > tolerance { return nil }
    let (next, isTooLate) = max(arrival, now).addingReportingOverflow(interval)
    return isTooLate ? nil : next
  }
}

extension RateLimiter: CustomStringConvertible {
  /// The type and the label, the rate, and the number of tasks that wait.
  public var description: String {
    let waits = line.withLock { $0.waits.count }
    return """
      \(subject.name), one every \(Duration.nanoseconds(Int64(interval)).short), bursts of \
      \(tolerance / interval + 1)\(waits > 0 ? ", \(counted(waits, "task")) waiting" : "")
      """
  }
}

extension Misuse.Kind {
  /// The count, the period or the burst of a rate limiter is out of its range (R1).
  public static var rateOutOfRange: Self { Self() }
}
