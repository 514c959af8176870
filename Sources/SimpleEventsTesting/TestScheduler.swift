public import SimpleEvents
internal import Synchronization

/// A scheduler whose time stands still until a test moves it.
///
/// Pass it where a program passes a dispatch queue. A test then says how much time goes by, and sees the
/// outcome at once: no sleeping, no waiting, the same every time.
///
/// ```swift
/// let scheduler = TestScheduler()
/// let event = LazySimpleEvent(scheduler: scheduler, policy: .debounce(.milliseconds(100)))
/// let recorder = EventRecorder(event, scheduler: scheduler)
/// event.trigger()
/// scheduler.advance(by: .milliseconds(99))
/// #expect(recorder.times == [])
/// scheduler.advance(by: .milliseconds(1))
/// #expect(recorder.times == [.milliseconds(100)])
/// ```
///
/// Work may be scheduled and cancelled from any thread; one thread at a time drives it.
///
/// - **S3** Work runs in the order of (deadline, sequence), one entry at a time, and only inside
///   ``advance(by:)``, ``advance(to:)`` and ``run(limit:)``. ``now`` is the entry's deadline while it runs.
///   Advancing is inclusive, and never goes back. ``isCurrent`` is true on the thread that drives it, in
///   and outside `advance`.
public final class TestScheduler: EventScheduler {
  struct State {
    var now: EventInstant = EventInstant(nanoseconds: 0)
    var queue: TimeQueue = TimeQueue()
    var driver: ThreadIdentity = .current
    var isRunning: Bool = false
  }

  private let misuse: MisuseHandler
  /// Guards the time and the queue. Work runs, and is let go, after the lock.
  private let state: Mutex<State> = Mutex(State())

  /// Creates a scheduler at instant zero with nothing to do. The creating thread drives it at first.
  ///
  /// - Parameter misuse: What to do about an `advance` from inside work that is being run.
  public init(misuse: MisuseHandler = .debugTrap) {
    self.misuse = misuse
  }

  /// The virtual time.
  public var now: EventInstant {
    state.withLock { $0.now }
  }

  /// Whether the caller is the thread that drives this scheduler: the last one to have advanced it.
  public var isCurrent: Bool {
    state.withLock { $0.driver == .current }
  }

  /// How much work waits, cancelled work not counted.
  ///
  /// - Complexity: O(1).
  public var pendingCount: Int {
    state.withLock { $0.queue.count }
  }

  /// Runs work when the scheduler is advanced next, at the instant it has now.
  ///
  /// - Complexity: O(log n) in the amount of work that waits.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    state.withLock { state in
      _ = state.queue.push(work, at: state.now)
    }
  }

  /// Runs work when the scheduler is advanced to a deadline, or past it.
  ///
  /// - Parameters:
  ///   - deadline: When it is due; an instant in the past is due now.
  ///   - tolerance: Ignored: virtual time is exact.
  ///   - work: Called once.
  /// - Returns: The means to cancel the work.
  /// - Complexity: O(log n) in the amount of work that waits.
  @discardableResult
  public func schedule(
    at deadline: EventInstant, tolerance: Duration = .zero, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let ticket = state.withLock { $0.queue.push(work, at: max(deadline, $0.now)) }
    return VirtualWork(ticket, in: self)
  }

  /// Lets time go by, and runs what falls due in it, at its end included.
  ///
  /// - Parameter duration: How much; zero runs what is due now, less than zero is taken for zero.
  public func advance(by duration: Duration = .zero) {
    advance(to: now.advanced(by: duration))
  }

  /// Moves time to an instant, and runs what falls due until then, at that instant included.
  ///
  /// - Parameter instant: The new time; an earlier one than now is taken for now.
  public func advance(to instant: EventInstant) {
    drive {
      let end = max(instant, now)
      while runNext(until: end) {}
      state.withLock { $0.now = end }
    }
  }

  /// Runs work until none is left, moving time along.
  ///
  /// - Parameter limit: How many pieces of work to run at the most, so that work which schedules itself
  ///   for ever does not hang a test.
  /// - Returns: How many were run: the limit, if there is more to do.
  @discardableResult
  public func run(limit: Int = 1_000_000) -> Int {
    var count = 0
    drive {
      // What waits for the instant that never comes goes on waiting.
      while count < limit && runNext(until: EventInstant(nanoseconds: .max - 1)) {
        count += 1
      }
    }
    return count
  }

  fileprivate func cancel(_ ticket: TimeQueue.Ticket) {
    let work = state.withLock { $0.queue.takeWork(ticket) }
    // What the work captured is let go here: after the lock.
    withExtendedLifetime(work) {}
  }

  /// Makes the calling thread the driver while a body runs work, and flags a body inside another.
  private func drive(_ body: () -> Void) {
    let isNested = state.withLock { state in
      guard !state.isRunning else { return true }
      state.isRunning = true
      state.driver = .current
      state.queue.sort()
      return false
    }
    guard !isNested else {
      return misuse.flag(
        Misuse(
          .nestedAdvance,
          """
          A TestScheduler was advanced from inside work that it is running, or from two threads at once; the \
          inner call does nothing. Advance from the test itself, or schedule more work instead.
          """))
    }
    body()
    state.withLock { $0.isRunning = false }
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
