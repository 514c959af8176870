#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  internal import CTaskHook
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

  /// A default executor that passes each job to the test scheduler that the calling thread drives, if there
  /// is one. Other jobs go to the original executor.
  ///
  /// `Task.yield` passes a job to the current executor. A task that has entered a default actor has no
  /// current executor. Its job goes to the default executor, for which the runtime does not call the hook.
  /// Without this class, the task would continue on the global pool, outside of its run.
  // NB: Swift 6.3 has the first runtime in which the default executor can be replaced. The interface is
  // experimental, so it is used only with the compiler that the tests run with.
  final class DefaultExecutor: TaskExecutor, SchedulingExecutor {
    // NB: the runtime reads an executor and its witness table in two steps, so while the executor is
    // replaced, another thread can call a method of one class on the object of the other class. This class
    // has no stored properties, and the methods of the platform's executor use none.
    private static let original: (any TaskExecutor & SchedulingExecutor)? =
      Task.defaultExecutor as? any TaskExecutor & SchedulingExecutor

    /// Replaces the default executor of the process, unless it belongs to the program. Called once.
    static func install() {
      let platform = PlatformExecutorFactory.defaultExecutor
      guard let original, type(of: original as Any) == type(of: platform as Any) else { return }
      _createExecutors(factory: Factory.self)
    }

    func enqueue(_ job: UnownedJob) {
      // SAFETY: an unowned job is the runtime's pointer to the job.
      let isCaught = unsafe task_hook_catch(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
      if !isCaught { Self.original!.enqueue(job) }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      Self.original!.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      Self.original!.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
    }

    private enum Factory: ExecutorFactory {
      static var mainExecutor: any MainExecutor { MainActor.executor }
      static let defaultExecutor: any TaskExecutor = DefaultExecutor()
    }
  }
#else
  /// With other compilers and on other systems, the default executor is not replaced.
  enum DefaultExecutor {
    static func install() {}
  }
#endif
