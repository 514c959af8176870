internal import Dispatch
internal import SimpleEvents

/// A test scheduler is the executor of tasks that prefer it, and of actors that choose it.
///
/// Each job of a task is an entry that is due at the current instant.
///
/// ```swift
/// actor Index {
///   private let scheduler: TestScheduler
///   nonisolated var unownedExecutor: UnownedSerialExecutor { scheduler.asUnownedSerialExecutor() }
/// }
/// ```
extension TestScheduler: TaskExecutor, SerialExecutor {
  /// The scheduler itself, so that asynchronous deliveries run on it.
  public var taskExecutor: (any TaskExecutor)? { self }

  /// Adds a job of a task as an entry that is due now. The runtime calls this method, on any thread.
  ///
  /// During a run, a job that another thread enqueues is kept until the run is over, unless the run awaits
  /// such jobs (S4). The queued job does not keep the scheduler alive.
  ///
  /// - Complexity: O(1) amortised.
  public func enqueue(_ job: consuming ExecutorJob) {
    add(UnownedJob(job), for: .scheduler)
  }

  /// Returns the executor of the actors that run on the scheduler.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe actors.asUnownedSerialExecutor() }

  /// Returns whether the caller is inside an entry that the scheduler runs; false for every caller while the
  /// scheduler is idle.
  public func isIsolatingCurrentContext() -> Bool? {
    state.withLock { $0.driver == .current }
  }

  /// Stops the program if the caller is not inside an entry that the scheduler runs.
  public func checkIsolated() {
    precondition(
      state.withLock { $0.driver == .current }, "the caller is not inside work of this TestScheduler")
  }

  func add(_ job: UnownedJob, for target: QueuedJob.Target) {
    let semaphore = state.withLock { state in
      if state.run?.setsExternalJobsAside == true && state.driver != .current {
        state.setAside.append((job, target))
      } else {
        state.append(job, target)
      }
      return state.externalSemaphore
    }
    semaphore?.signal()
  }
}

/// Receives the jobs of actors for a test scheduler, separately from the jobs of tasks that prefer it.
///
/// An actor's job runs isolated to this executor. A task's job does not: otherwise each call of a function
/// without isolation would need a further job in order to leave the executor.
final class ActorJobs: SerialExecutor, @unchecked Sendable {
  // SAFETY: the scheduler sets itself here before any other object can refer to this executor, and retains
  // the executor. Actors on the scheduler retain the scheduler.
  unowned var scheduler: TestScheduler!

  func enqueue(_ job: consuming ExecutorJob) { scheduler.add(UnownedJob(job), for: .actor) }

  func isIsolatingCurrentContext() -> Bool? { scheduler.isIsolatingCurrentContext() }

  func checkIsolated() { scheduler.checkIsolated() }
}
