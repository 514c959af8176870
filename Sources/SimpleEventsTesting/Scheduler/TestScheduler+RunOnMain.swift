internal import Dispatch
internal import SimpleEvents

extension TestScheduler {
  /// Runs an asynchronous body on the main actor to its end, in virtual time as far as the main actor allows.
  ///
  /// ```swift
  /// @MainActor @Test func reload() async throws {
  ///   let scheduler = TestScheduler()
  ///   let model = Model(clock: scheduler.clock)
  ///   try await scheduler.runOnMain {
  ///     await model.reload()
  ///   }
  /// }
  /// ```
  ///
  /// The jobs of the main actor cannot be moved to the scheduler, so they run in the order of the main queue.
  /// The run moves time only after sixteen turns of the main actor in a row have brought no new work to the
  /// scheduler. This is a heuristic. The run is deterministic if the code stays on the main actor and on the
  /// scheduler, and never needs more than sixteen turns to bring new work. The method
  /// ``run(externalJobs:limit:fileID:line:_:)`` is exact without this condition.
  ///
  /// Call actors in the body or in a child task of it. An actor that a `Task { }` calls runs on the global
  /// pool, and time may move while it runs.
  ///
  /// The body counts as stuck after 4,096 turns without new work. These turns take about a tenth of a second
  /// of real time. If the interval of an object on `.main` is shorter than this time, the object delivers
  /// during these turns, in real time.
  ///
  /// - Parameters:
  ///   - limit: The largest number of entries to run before the run gives up.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - body: The asynchronous code to run. Called once, on the main actor. Cancelling the calling task
  ///     cancels the body.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body, or ``StuckError`` if the body does not end. Before `StuckError` is
  ///   thrown, the task of the body is cancelled, and the entries that the cancellation makes due are run.
  @MainActor @discardableResult
  public func runOnMain<Output>(
    limit: Int = 1_000_000, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @MainActor () async throws -> Output
  ) async throws -> Output {
    let site = CallSite(fileID: fileID, line: line)
    let isNested = state.withLock { state in
      guard !state.isOnMain && state.driver == nil else { return true }
      state.isOnMain = true
      return false
    }
    guard !isNested else {
      subject.misuse.flag(.nestedRun(of: subject, at: site))
      throw stuck(.nested, at: site, isMainBlocked: false)
    }
    defer { state.withLock { $0.isOnMain = false } }
    log?.beginDrive()
    let result = BodyResult<Output>()
    let task = PendingLog.$inherited.withValue(log) {
      Task(executorPreference: self) {
        await result.store(resultOf: body)
      }
    }
    try await withTaskCancellationHandler {
      try await driveOnMain(task, site, limit, until: result)
    } onCancel: {
      task.cancel()
    }
    return try result.get()
  }

  /// The number of turns in a row without new work after which time moves.
  private static let quietTurns: Int = 16
  /// The number of turns in a row without new work after which a run counts as stuck. Code on the global pool
  /// may still run during these turns.
  private static let silentTurns: Int = 4096

  @MainActor private func driveOnMain(
    _ task: Task<Void, Never>, _ site: CallSite, _ limit: Int, until completion: BodyCompletion
  ) async throws {
    var count = 0
    var quiet = 0
    while !completion.isFinished {
      let ran = runOnThisThread(until: now, atMost: limit - count)
      count += ran
      quiet = ran > 0 ? 0 : quiet + 1
      // At the limit, the run does not give up yet: the body may still end in turns of the main queue.
      if count >= limit && quiet > Self.quietTurns {
        throw await giveUpOnMain(task, site, .limitReached(limit), limit)
      }
      if quiet > Self.silentTurns {
        throw await giveUpOnMain(task, site, .nothingPending, limit)
      }
      if quiet > Self.quietTurns, runOnThisThread(until: .latestReachable, atMost: 1) > 0 {
        count += 1
        quiet = 0
      }
      await mainQueueTurn()
      // The yield goes through the global pool, so that jobs that are queued there begin.
      if quiet > Self.quietTurns { await Task.yield() }
    }
    if runOnThisThread(until: now, atMost: limit - count) >= limit - count { flagIfDue(limit) }
  }

  /// Runs the entries that are due by an instant; returns their number.
  @MainActor private func runOnThisThread(until instant: EventInstant, atMost limit: Int) -> Int {
    guard let scope = beginDriving(isTurn: true) else { return 0 }
    defer { endDriving(scope) }
    var count = 0
    while count < limit && runNext(until: instant) {
      count += 1
    }
    return count
  }

  /// Creates the error, cancels the task, and runs the entries that the cancellation makes due.
  @MainActor private func giveUpOnMain(
    _ task: Task<Void, Never>, _ site: CallSite, _ reason: StuckError.Reason, _ limit: Int
  ) async -> StuckError {
    let error = stuck(reason, at: site, isMainBlocked: false)
    task.cancel()
    for _ in 0..<Self.quietTurns {
      _ = runOnThisThread(until: now, atMost: limit)
      await mainQueueTurn()
    }
    return error
  }

  /// Returns when the main queue has run the jobs that were enqueued before the call.
  // NB: `Task.yield` does not suffice. It goes through the global pool, and the load of that pool decides
  // when it returns.
  @MainActor private func mainQueueTurn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}
