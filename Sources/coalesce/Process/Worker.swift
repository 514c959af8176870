internal import CPlatform
internal import Dispatch
package import SimpleEvents

/// A thread that runs one piece of work at a time, and the scheduler of the program's coalescing objects.
///
/// The program starts all its threads before it reads a line. A lack of memory or of processes is thus an
/// error at the start. A thread pool would start threads later, and would wait in the middle of the work
/// until the lack ends.
package final class Worker: EventScheduler, TaskExecutor, CustomStringConvertible {
  private struct State {
    /// Work for the next turns, in the order in which it was scheduled.
    var ready: [@Sendable () -> Void] = []
    /// Work with deadlines, in the order of the deadlines.
    var timed: [TimedWork] = []
    /// Whether the thread waits for work.
    var isIdle: Bool = false
    /// The identity of the thread; nil before the thread runs.
    var thread: ThreadIdentity?
  }

  /// The next action of the thread.
  private enum Step {
    case run([@Sendable () -> Void])
    case wait(until: EventInstant)
  }

  /// Guards the state.
  private let state: Guarded<State> = Guarded(State())
  /// Signalled when work is scheduled while the thread is idle.
  private let wake: DispatchSemaphore = DispatchSemaphore(value: 0)

  /// Starts the thread. The thread runs until the process exits.
  package init() throws(SystemError) {
    // SAFETY: the thread takes over the reference that is retained for it here.
    let worker = unsafe Unmanaged.passRetained(self)
    let error = unsafe platform_start_thread(
      { worker in
        unsafe Unmanaged<Worker>.fromOpaque(worker!).takeRetainedValue().runForever()
        return nil
      }, worker.toOpaque())
    if error != 0 {
      unsafe worker.release()
      throw SystemError(number: error)
    }
  }

  /// The name of the program. A trace shows it as the name of the process.
  package var description: String { "coalesce" }

  package var now: EventInstant { EventInstant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds)) }

  package var isCurrent: Bool { state.withLock { $0.thread } == ThreadIdentity.current }

  package var taskExecutor: (any TaskExecutor)? { self }

  package func schedule(_ work: @escaping @Sendable () -> Void) {
    change { $0.ready.append(work) }
  }

  @discardableResult package func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let timed = TimedWork(at: deadline, work)
    change { state in
      state.timed.removeAll(where: \.isCancelled)
      // The work is placed after other work with the same deadline.
      let place = state.timed.firstIndex { deadline < $0.deadline } ?? state.timed.endIndex
      state.timed.insert(timed, at: place)
    }
    return timed
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    schedule { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Runs work on the thread, and waits until the work has ended.
  ///
  /// - Parameters:
  ///   - limit: The longest time to wait; nil to wait without a limit.
  ///   - work: The work. It continues after the limit.
  /// - Returns: Whether the work has ended.
  @discardableResult
  package func perform(within limit: Duration? = nil, _ work: @escaping @Sendable () -> Void) -> Bool {
    let isOver = DispatchSemaphore(value: 0)
    schedule {
      work()
      isOver.signal()
    }
    return isOver.wait(timeout: DispatchTime(limit.map { now.advanced(by: $0) } ?? .distantFuture))
      == .success
  }

  /// Runs asynchronous work in a task on the thread, and waits until the work has ended. Call this on another
  /// thread.
  package func perform(_ work: @escaping @Sendable () async -> Void) {
    let isOver = DispatchSemaphore(value: 0)
    Task.detached(executorPreference: self) {
      await work()
      isOver.signal()
    }
    isOver.wait()
  }

  /// Changes the state, and wakes the thread if it is idle.
  private func change(_ body: (inout State) -> Void) {
    let wasIdle = state.withLock { state in
      body(&state)
      defer { state.isIdle = false }
      return state.isIdle
    }
    if wasIdle { wake.signal() }
  }

  private func runForever() {
    state.withLock { $0.thread = ThreadIdentity.current }
    while true {
      switch nextStep() {
      case .run(let works): for work in works { work() }
      case .wait(let deadline): _ = wake.wait(timeout: DispatchTime(deadline))
      }
    }
  }

  private func nextStep() -> Step {
    let now = now
    return state.withLock { state in
      state.isIdle = false
      if let first = state.timed.first, first.deadline <= now {
        return .run([state.timed.removeFirst().run])
      }
      if state.ready.isEmpty {
        state.isIdle = true
        return .wait(until: state.timed.first?.deadline ?? .distantFuture)
      }
      defer { state.ready = [] }
      return .run(state.ready)
    }
  }
}

/// Work that has a deadline and can be cancelled.
final class TimedWork: ScheduledWork {
  let deadline: EventInstant
  /// Guards the work; nil once the work has begun or was cancelled.
  private let work: Guarded<(@Sendable () -> Void)?>

  init(at deadline: EventInstant, _ work: @escaping @Sendable () -> Void) {
    self.deadline = deadline
    self.work = Guarded(work)
  }

  var isCancelled: Bool { work.withLock { $0 == nil } }

  // The work is called and released after the lock is released.
  func run() { work.exchange(nil)?() }

  func cancel() { _ = work.exchange(nil) }
}

extension DispatchTime {
  /// Converts an instant of the uptime clock to a Dispatch time.
  fileprivate init(_ instant: EventInstant) {
    self =
      instant == .distantFuture
      ? .distantFuture : DispatchTime(uptimeNanoseconds: UInt64(max(0, instant.nanoseconds)))
  }
}
