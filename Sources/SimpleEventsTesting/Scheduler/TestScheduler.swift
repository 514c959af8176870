internal import Dispatch
public import SimpleEvents

/// A scheduler whose time stands still until a test moves it.
///
/// Pass it in place of a dispatch queue. The test decides how much time passes, and gets the same result
/// every time, without waiting:
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
/// Asynchronous code runs in virtual time inside ``run(externalJobs:limit:fileID:line:_:)``. It also does so
/// under ``advance(by:limit:)`` if its tasks prefer the scheduler: the scheduler is a task executor, and a
/// serial executor for actors. The article <doc:TestingWithVirtualTime> shows both.
///
/// Any thread may schedule and cancel work. Only one thread at a time may advance the scheduler.
///
/// The contracts are S3 and S4 of the article *Contracts* of the module SimpleEvents.
public final class TestScheduler: EventScheduler {
  struct State {
    var now: EventInstant = EventInstant(nanoseconds: 0)
    var queue: TimeQueue<QueuedWork> = TimeQueue()
    /// The jobs of tasks. All of them are due now, because time moves only when no job is left.
    var jobs: Fifo<QueuedJob> = Fifo()
    /// The external jobs that a run has set aside. They become due when the run has ended.
    var setAside: [(job: UnownedJob, target: QueuedJob.Target)] = []
    /// The thread that runs entries; nil while the scheduler is idle.
    var driver: ThreadIdentity?
    /// The run that the driver is inside; nil if there is none.
    var run: RunInProgress?
    /// Whether `runOnMain` is in progress. While the main actor does other work, there is no driver.
    var isOnMain: Bool = false
  }

  let subject: DiagnosticSubject
  /// Guards the time, the queues and the driver. Entries run, and are released, after the lock is released.
  let state: Guarded<State> = Guarded(State())
  let actors: ActorJobs = ActorJobs()
  /// The log of the objects and waits that became pending in work of this scheduler; nil in a release build.
  let log: SchedulerLog? = SchedulerLog()

  /// Creates a scheduler that has no work, at instant zero.
  ///
  /// - Parameters:
  ///   - label: The name of the scheduler in diagnostics.
  ///   - misuse: The reaction to an advance or a run from inside work that the scheduler runs, to work that
  ///     is still due when an advance or a run reaches its limit, and to a job that another thread enqueues
  ///     during a run.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public init(
    label: String? = nil, misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    actors.scheduler = self
  }

  deinit {
    // The tasks that do not prefer the scheduler continue on the global pool.
    let jobs = state.exchange(State()).jobs
    jobs.enqueueCaughtJobsGlobally()
  }

  /// The name of the scheduler in diagnostics.
  public var label: String? { subject.label }

  /// The virtual time.
  public var now: EventInstant {
    state.withLock { $0.now }
  }

  /// The virtual time since the scheduler was created.
  public var elapsed: Duration { EventInstant(nanoseconds: 0).duration(to: now) }

  /// Whether the caller is inside work that the scheduler runs; true for every caller while the scheduler is
  /// idle.
  ///
  /// An idle scheduler belongs to no thread, because a test may change threads at an `await`. During
  /// ``runOnMain(limit:fileID:line:_:)`` the scheduler belongs to the main actor.
  public var isCurrent: Bool {
    let (driver, isOnMain) = state.withLock { ($0.driver, $0.isOnMain) }
    if let driver { return driver == .current }
    return !isOnMain || MainActor.shared.isCurrent == true
  }

  /// The number of pieces of work and of jobs of tasks that are pending.
  ///
  /// Cancelled work does not count, and neither does a job that is kept until the run in progress is over
  /// (S4).
  ///
  /// - Complexity: O(1).
  public var pendingCount: Int {
    state.withLock { $0.queue.count + $0.jobs.count }
  }

  /// The instant of the first pending entry; nil if none is pending. A job of a task is due at the current
  /// instant.
  ///
  /// - Complexity: O(log n) amortised in the number of pieces of work that are pending.
  public var nextDeadline: EventInstant? {
    state.withLock { state in state.jobs.isEmpty ? state.queue.first() : state.now }
  }

  /// The virtual time as a clock, for tasks that sleep and for code that takes a clock.
  public var clock: SchedulerClock { SchedulerClock(self) }

  /// Runs work at the current instant, when the scheduler is next advanced.
  ///
  /// - Complexity: O(log n) in the number of pieces of work that are pending.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    let semaphore = state.withLock { state in
      _ = state.queue.push(QueuedWork(work), at: state.now)
      return state.externalSemaphore
    }
    semaphore?.signal()
  }

  /// Runs work at a deadline, when the scheduler is advanced to or past it.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the work is due. Work with a past instant is due now.
  ///   - tolerance: Has no effect: virtual time is exact.
  ///   - work: The work to run. Called once.
  /// - Returns: An object that can cancel the work.
  /// - Complexity: O(log n) in the number of pieces of work that are pending.
  @discardableResult
  public func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let (ticket, semaphore) = state.withLock { state in
      (state.queue.push(QueuedWork(work), at: max(deadline, state.now)), state.externalSemaphore)
    }
    semaphore?.signal()
    return VirtualWork(ticket, in: self)
  }

  func cancel(_ ticket: TimeTicket) {
    let work = state.withLock { $0.queue.take(ticket) }
    // The captures of the work are released here, after the lock is released.
    withExtendedLifetime(work) {}
  }
}

/// Cancels work that was scheduled on a test scheduler.
final class VirtualWork: ScheduledWork {
  private let ticket: TimeTicket
  private let scheduler: TestScheduler

  init(_ ticket: TimeTicket, in scheduler: TestScheduler) {
    self.ticket = ticket
    self.scheduler = scheduler
  }

  func cancel() {
    scheduler.cancel(ticket)
  }
}
