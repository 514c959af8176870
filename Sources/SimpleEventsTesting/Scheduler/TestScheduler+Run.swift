internal import Dispatch
public import SimpleEvents

extension TestScheduler {
  /// Runs an asynchronous body to its end, in virtual time.
  ///
  /// ```swift
  /// let scheduler = TestScheduler()
  /// let waited = try scheduler.run {
  ///   try await scheduler.clock.sleep(for: .seconds(3600))
  ///   return scheduler.elapsed
  /// }
  /// #expect(waited == .seconds(3600))
  /// ```
  ///
  /// The body and all tasks that it starts run on the calling thread, one job at a time: child tasks, `Task {
  /// }`, `Task.detached`, actors and isolated deinits. Time moves to the next deadline when no job is left to
  /// run, so two runs of the same body run the same jobs in the same order (S4). The article
  /// <doc:TestingWithVirtualTime> lists the code that runs elsewhere: main-actor code, real clocks and
  /// Dispatch callbacks.
  ///
  /// When the body has ended, the entries that are due at the same instant are run, up to the limit. If due
  /// entries are left, a debug build flags the run (C11). Later entries stay pending for the next run or
  /// ``advance(by:limit:)``.
  ///
  /// If the calling thread would send a job to the global pool during the run, a hook of the Swift runtime
  /// passes the job to the scheduler instead. Other threads, and tests that run at the same time, are not
  /// affected.
  ///
  /// - Parameters:
  ///   - externalJobs: How to treat jobs that other threads enqueue. By default, the jobs are set aside
  ///     during the run.
  ///   - limit: The largest number of entries to run before the run gives up.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - body: The asynchronous code to run. Called once, not isolated to any actor.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body, or ``StuckError`` if the body does not end. Before `StuckError` is
  ///   thrown, the task of the body is cancelled, and the entries that the cancellation makes due are run, up
  ///   to the limit again.
  @inlinable
  @discardableResult
  public func run<Output>(
    externalJobs: ExternalJobs = .flagged, limit: Int = 1_000_000, fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: sending @escaping () async throws -> Output
  ) throws -> Output {
    let result = BodyResult<Output>()
    try run(untyped: externalJobs, limit, CallSite(fileID: fileID, line: line), until: result) {
      await result.store(resultOf: body)
    }
    return try result.get()
  }

  /// Drives a body to its end. The function is not generic over the result, so that it is compiled once.
  @usableFromInline
  func run(
    untyped externalJobs: ExternalJobs, _ limit: Int, _ site: CallSite, until completion: BodyCompletion,
    _ body: sending @escaping () async -> Void
  ) throws {
    let run = RunInProgress(externalJobs, site: site)
    guard let scope = beginDriving(run) else {
      subject.misuse.flag(.nestedRun(of: subject, at: site))
      throw stuck(.nested, at: site, isMainBlocked: false)
    }
    let end: (isWorkDue: Bool, setAsideCount: Int)
    do {
      defer { endDriving(scope) }
      let task = Task(executorPreference: self, operation: body)
      end = try runEntries(of: task, run, limit, until: completion)
    }
    // Misuse is flagged when this thread no longer drives. Otherwise the scheduler would receive the tasks
    // that the handler creates.
    if end.isWorkDue { flagLimit(limit) }
    if end.setAsideCount > 0 {
      subject.misuse.flag(.externalJob(end.setAsideCount, on: subject, duringRunAt: run.site))
    }
  }

  /// Runs entries until the body has ended and no entry is due.
  ///
  /// - Returns: Whether the limit is reached and entries are still due, and the number of jobs that were set
  ///   aside.
  private func runEntries(
    of task: Task<Void, Never>, _ run: RunInProgress, _ limit: Int, until completion: BodyCompletion
  ) throws -> (isWorkDue: Bool, setAsideCount: Int) {
    var count = 0
    while !completion.isFinished {
      guard count < limit else { throw giveUp(task, run, .limitReached(limit), limit) }
      let hasRun = runDue()
      // The entry of the other thread is due now. It is counted when it runs.
      if !hasRun && awaitExternalEntry(run) { continue }
      guard hasRun || runNext(until: .latestReachable) else {
        throw giveUp(task, run, .nothingPending, limit)
      }
      count += 1
    }
    while count < limit && runDue() {
      count += 1
    }
    let isWorkDue = count >= limit && state.withLock { $0.isAnythingDue }
    return (isWorkDue, endRun())
  }

  /// Runs the first entry if it is due at the current instant; returns whether it ran.
  func runDue() -> Bool {
    runNext()
  }

  /// Waits until another thread has added an entry that is due; returns false if no entry was added in time.
  private func awaitExternalEntry(_ run: RunInProgress) -> Bool {
    guard case .awaited(let timeout, let semaphore) = run.external else { return false }
    let end = DispatchTime.now() + timeout
    while !state.withLock({ $0.isAnythingDue }) {
      if semaphore.wait(timeout: end) == .timedOut { return false }
    }
    return true
  }

  /// Creates the error, cancels the task, and runs the entries that the cancellation makes due.
  private func giveUp(
    _ task: Task<Void, Never>, _ run: RunInProgress, _ reason: StuckError.Reason, _ limit: Int
  ) -> StuckError {
    let error = stuck(reason, at: run.site, isMainBlocked: MainActor.shared.isCurrent == true)
    task.cancel()
    _ = endRun()
    var count = 0
    while count < limit && runDue() {
      count += 1
    }
    return error
  }
}

extension TestScheduler {
  /// How a run treats external jobs: jobs that threads other than the driving one enqueue during the run.
  public enum ExternalJobs: Sendable, Hashable {
    /// External jobs are set aside during the run, because the order of the run would otherwise depend on
    /// other threads.
    ///
    /// The jobs become due when the run has ended. A body that depends on such a job is stuck. If the body
    /// ends without the job, the job is flagged in a debug build (S4).
    case flagged
    /// Before the run moves time, and before it counts as stuck, it waits for external jobs.
    ///
    /// A wait ends when another thread has added an entry that is due, or when the given real time has
    /// passed. The run is as deterministic as the other threads are.
    case awaited(upTo: Duration)
  }
}
