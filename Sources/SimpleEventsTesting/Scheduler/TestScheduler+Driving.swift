internal import CTaskHook
internal import Dispatch
public import SimpleEvents

extension EventInstant {
  /// The latest instant at which work runs. Work at `.distantFuture` never runs.
  static let latestReachable: EventInstant = EventInstant(nanoseconds: .max - 1)
}

extension TestScheduler.State {
  /// The semaphore that the caller signals after it has added an entry; nil if the run in progress does not
  /// await external entries, or if the caller is the driver.
  var externalSemaphore: DispatchSemaphore? {
    guard case .awaited(_, let semaphore) = run?.external, driver != .current else { return nil }
    return semaphore
  }

  /// Adds a job as an entry that is due now.
  mutating func append(_ job: UnownedJob, _ target: QueuedJob.Target) {
    jobs.append(QueuedJob(job: job, sequence: queue.takeSequence(), target: target))
  }

  var isAnythingDue: Bool {
    mutating get { !jobs.isEmpty || queue.first().map { $0 <= now } ?? false }
  }
}

extension TestScheduler {
  /// A period in which a thread drives the scheduler.
  ///
  /// The scope stores the previous driver and the previous log of the thread. If work of another scheduler
  /// drives this scheduler, the previous driver and log are the other scheduler and its log.
  @safe struct DrivingScope {
    fileprivate let previousDriver: UnsafeMutableRawPointer?
    fileprivate let previousLog: UnsafeMutableRawPointer?
  }

  /// Makes the calling thread the driver. The driver runs entries, and catches the jobs that it would send to
  /// the global pool.
  ///
  /// - Parameters:
  ///   - run: The run that begins; nil for an advance.
  ///   - isTurn: Whether the period is one turn of `runOnMain`.
  /// - Returns: The value to pass to `endDriving`; nil if a thread already drives the scheduler.
  func beginDriving(_ run: RunInProgress? = nil, isTurn: Bool = false) -> DrivingScope? {
    let (isNested, isOnMain) = state.withLock { state -> (Bool, Bool) in
      guard state.driver == nil else { return (true, false) }
      state.driver = .current
      state.run = run
      state.queue.sort()
      return (false, state.isOnMain)
    }
    guard !isNested else { return nil }
    if !isTurn { log?.beginDrive(isInner: isOnMain) }
    Self.installHook
    // SAFETY: the caller retains the scheduler until it has called `endDriving` on this thread.
    return unsafe DrivingScope(
      previousDriver: task_hook_set_driver(Unmanaged.passUnretained(self).toOpaque()),
      previousLog: SchedulerLog.begin(log, keepsThread: !isOnMain || run != nil))
  }

  func endDriving(_ scope: DrivingScope) {
    _ = unsafe task_hook_set_driver(scope.previousDriver)
    unsafe SchedulerLog.end(log, restoring: scope.previousLog)
    state.withLock { $0.driver = nil }
  }

  /// Queues the jobs that were set aside during a run. From now on, jobs of other threads are accepted.
  ///
  /// - Returns: The number of jobs that were set aside.
  func endRun() -> Int {
    state.withLock { state in
      state.run = nil
      let setAside = state.setAside
      state.setAside = []
      for (job, target) in setAside { state.append(job, target) }
      return setAside.count
    }
  }

  /// Runs the first entry if it is due by an instant; returns whether it ran.
  ///
  /// - Parameter instant: The latest deadline; nil for the current instant.
  func runNext(until instant: EventInstant? = nil) -> Bool {
    let next = state.withLock { $0.takeNext(until: instant) }
    switch next {
    case .none: return false
    case .work(let work): work()
    case .job(let entry):
      // SAFETY: the runtime enqueues each job once, and the queue returns it once. The scheduler outlives the
      // call.
      if entry.target == .actor {
        unsafe entry.job.runSynchronously(
          isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      } else {
        // NB: even a job for the global pool runs with this executor. Without an executor, `Task.yield` would
        // bypass the hook.
        unsafe entry.job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
    return true
  }

  private static let installHook: Void = {
    unsafe task_hook_install { driver, job in
      // SAFETY: between `beginDriving` and `endDriving`, the driver is a scheduler that is alive. An unowned
      // job is the runtime's pointer to the job.
      let scheduler = unsafe Unmanaged<TestScheduler>.fromOpaque(driver).takeUnretainedValue()
      unsafe scheduler.add(unsafeBitCast(job, to: UnownedJob.self), for: .pool)
    }
    DefaultExecutor.install()
  }()
}

extension TestScheduler.State {
  enum Next {
    case none
    case work(QueuedWork)
    case job(QueuedJob)
  }

  /// Takes the first entry in the order of deadlines and sequence numbers, and moves time to its deadline.
  mutating func takeNext(until instant: EventInstant?) -> Next {
    let job = jobs.first
    if let item = queue.pop(
      until: job == nil ? instant ?? now : now, before: job?.sequence ?? .max)
    {
      now = item.deadline
      return queue.take(item.ticket).map(Next.work) ?? .none
    }
    guard let job else { return .none }
    _ = jobs.popFirst()
    return .job(job)
  }
}

extension TestScheduler {
  /// Moves time forward, and runs all work that is due by the new instant.
  ///
  /// - Parameters:
  ///   - duration: The time that passes. Zero runs the work that is due now; a negative duration counts as
  ///     zero.
  ///   - limit: The largest number of entries to run; zero or less runs none. If more entries are due, they
  ///     stay pending, and time stays at the instant that was reached. A debug build then flags the advance,
  ///     and names the objects that deliver again and again (C11).
  public func advance(by duration: Duration = .zero, limit: Int = 1_000_000) {
    advance(to: now.advanced(by: duration), limit: limit)
  }

  /// Moves time to an instant, and runs all work that is due by that instant.
  ///
  /// `EventInstant.distantFuture` is never reached: an advance to it runs the work at all other instants.
  ///
  /// - Parameters:
  ///   - instant: The new instant. A past instant counts as the current one.
  ///   - limit: The largest number of entries to run, as for ``advance(by:limit:)``.
  public func advance(to instant: EventInstant, limit: Int = 1_000_000) {
    var isComplete = true
    whileDriving {
      let end = max(min(instant, .latestReachable), now)
      var count = 0
      repeat {
        while count < limit && runNext(until: end) { count += 1 }
        // Another thread may have added an entry since the last one ran.
        isComplete = state.withLock { $0.move(to: end) }
      } while !isComplete && count < limit
    }
    if !isComplete { flagLimit(limit) }
  }

  /// Runs all pending work, and moves time to each deadline.
  ///
  /// Work at `EventInstant.distantFuture` never runs.
  ///
  /// - Parameter limit: The largest number of pieces of work to run, so that endless work does not hang a
  ///   test; zero or less runs none.
  /// - Returns: The number of pieces that ran. If the limit is reached, work may be left, and nothing is
  ///   flagged.
  @discardableResult
  public func run(limit: Int = 1_000_000) -> Int {
    var count = 0
    whileDriving {
      while count < limit && runNext(until: .latestReachable) {
        count += 1
      }
    }
    return count
  }

  /// Makes this thread the driver and calls a body that runs entries; flags a nested call.
  private func whileDriving(_ body: () -> Void) {
    guard let scope = beginDriving() else {
      return subject.misuse.flag(.nestedAdvance(of: subject))
    }
    body()
    endDriving(scope)
  }

  /// Flags work that is still due at the current instant after a run has reached its limit.
  func flagIfDue(_ limit: Int) {
    if state.withLock({ $0.isAnythingDue }) { flagLimit(limit) }
  }

  func flagLimit(_ limit: Int) {
    let (instant, hasJobs) = state.withLock { ($0.now, !$0.jobs.isEmpty) }
    subject.misuse.flag(
      .advanceLimitReached(
        limit, of: subject, at: "\(instant)", by: busiestObjects(of: limit).map(\.subject), hasJobs: hasJobs))
  }
}

extension TestScheduler.State {
  /// Moves time to an instant, unless work that is due by then is left; returns whether time moved.
  fileprivate mutating func move(to instant: EventInstant) -> Bool {
    guard jobs.isEmpty && queue.first().map({ $0 > instant }) ?? true else { return false }
    now = instant
    return true
  }
}
