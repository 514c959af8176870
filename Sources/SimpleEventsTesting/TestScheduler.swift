public import SimpleEvents

/// A scheduler whose time stands still until a test moves it.
///
/// Pass it where a program passes a dispatch queue. The test says how much time passes, and sees the result at once and
/// the same way every time:
///
/// ```swift
/// let scheduler = TestScheduler()
/// let event = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(100)))
/// let recorder = EventRecorder(event, on: scheduler)
/// event.trigger()
/// scheduler.advance(by: .milliseconds(99))
/// #expect(recorder.times == [])
/// scheduler.advance(by: .milliseconds(1))
/// #expect(recorder.times == [.milliseconds(100)])
/// ```
///
/// Work may be scheduled and cancelled from any thread; one thread at a time advances the scheduler.
///
/// Contract: S3, see the article *Contracts* of the module SimpleEvents.
public final class TestScheduler: EventScheduler {
  struct State {
    var now: EventInstant = EventInstant(nanoseconds: 0)
    var queue: TimeQueue = TimeQueue()
    /// The thread that runs work; nil while the scheduler is idle.
    var driver: ThreadIdentity?
  }

  private let misuse: MisuseHandler
  /// Guards the time and the queue. Work runs, and is released, after the lock.
  private let state: Guarded<State> = Guarded(State())

  /// Creates a scheduler at instant zero without work.
  ///
  /// - Parameter misuse: The reaction to an advance from inside work that the scheduler runs.
  public init(misuse: MisuseHandler = .debugTrap) {
    self.misuse = misuse
  }

  /// The virtual time.
  public var now: EventInstant {
    state.withLock { $0.now }
  }

  /// Whether the caller is inside work that the scheduler runs; true for every caller while the scheduler is idle.
  ///
  /// An idle scheduler belongs to no thread, because a test may change threads at an `await`.
  public var isCurrent: Bool {
    state.withLock { $0.driver == nil || $0.driver == .current }
  }

  /// The number of pieces of work that are pending. Cancelled work does not count.
  ///
  /// - Complexity: O(1).
  public var pendingCount: Int {
    state.withLock { $0.queue.count }
  }

  /// Runs work when the scheduler is advanced next, at the present instant.
  ///
  /// - Complexity: O(log n) in the number of pieces of work that are pending.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    state.withLock { state in
      _ = state.queue.push(work, at: state.now)
    }
  }

  /// Runs work when the scheduler is advanced to a deadline or past it.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the work is due. An instant in the past is due now.
  ///   - tolerance: Has no effect: virtual time is exact.
  ///   - work: Called once.
  /// - Returns: The means to cancel the work.
  /// - Complexity: O(log n) in the number of pieces of work that are pending.
  @discardableResult
  public func schedule(
    at deadline: EventInstant, tolerance: Duration = .zero, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let ticket = state.withLock { $0.queue.push(work, at: max(deadline, $0.now)) }
    return VirtualWork(ticket, in: self)
  }

  /// Moves time forward, and runs the work that falls due, at the new instant included.
  ///
  /// - Parameter duration: The time that passes. Zero runs the work that is due now; less than zero means zero.
  public func advance(by duration: Duration = .zero) {
    advance(to: now.advanced(by: duration))
  }

  /// Moves time to an instant, and runs the work that falls due until then, at that instant included.
  ///
  /// - Parameter instant: The new instant. One in the past means the present.
  public func advance(to instant: EventInstant) {
    drive {
      let end = max(instant, now)
      while runNext(until: end) {}
      state.withLock { $0.now = end }
    }
  }

  /// Runs work until none is pending, and moves time to each deadline.
  ///
  /// - Parameter limit: The largest number of pieces to run, so that work that always schedules more does not hang a test.
  /// - Returns: The number of pieces that ran: the limit, if work is left.
  @discardableResult
  public func run(limit: Int = 1_000_000) -> Int {
    var count = 0
    drive {
      // Work for the instant that never comes stays pending.
      while count < limit && runNext(until: EventInstant(nanoseconds: .max - 1)) {
        count += 1
      }
    }
    return count
  }

  fileprivate func cancel(_ ticket: TimeQueue.Ticket) {
    let work = state.withLock { $0.queue.takeWork(ticket) }
    // The captures of the work are released here, after the lock.
    withExtendedLifetime(work) {}
  }

  /// Calls a body that runs work, and flags a call inside another.
  private func drive(_ body: () -> Void) {
    let isNested = state.withLock { state in
      guard state.driver == nil else { return true }
      state.driver = .current
      state.queue.sort()
      return false
    }
    guard !isNested else {
      return misuse.flag(.nestedAdvance())
    }
    body()
    state.withLock { $0.driver = nil }
  }

  private func runNext(until instant: EventInstant) -> Bool {
    let work = state.withLock { state -> TimeQueue.Work? in
      guard let (deadline, ticket) = state.queue.pop(until: instant) else { return nil }
      state.now = deadline
      return state.queue.takeWork(ticket)
    }
    work?()
    return work != nil
  }
}

/// The means to cancel work on a test scheduler.
private final class VirtualWork: ScheduledWork {
  private let ticket: TimeQueue.Ticket
  private let scheduler: TestScheduler

  init(_ ticket: TimeQueue.Ticket, in scheduler: TestScheduler) {
    self.ticket = ticket
    self.scheduler = scheduler
  }

  func cancel() {
    scheduler.cancel(ticket)
  }
}
