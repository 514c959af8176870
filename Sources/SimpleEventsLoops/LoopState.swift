package import SimpleEvents

/// The host, the end and the waits of a loop, with or without keys. The lock of the loop guards them.
struct LoopState<Start> {
  /// The tasks that make the runs.
  enum Mode {
    /// A task is created for each run.
    case owned(Start)
    case hosted(LoopTask)
    case unhosted
    /// The loop has ended: no further run begins.
    case ended
  }

  private(set) var mode: Mode
  /// Whether the loop ends after the runs that are pending or in progress.
  var isFinishing: Bool = false
  /// The number of runs that have begun.
  var count: Int = 0
  /// The tasks that wait for a run or for the end of runs.
  var waits: WaitList<LoopWait> = WaitList()
  /// Whether the loop has ever had a host.
  private var wasHosted: Bool = false

  /// - Parameter start: Creates the task of a run; nil for a loop that is hosted.
  init(_ start: Start?) { mode = start.map { .owned($0) } ?? .unhosted }

  /// Whether the loop needs a host and has none.
  var isUnhosted: Bool { if case .unhosted = mode { true } else { false } }

  var hasEnded: Bool { if case .ended = mode { true } else { false } }

  /// Whether requests are ignored.
  var isClosed: Bool { hasEnded || isFinishing }

  /// Whether the loop needs a host and has never had one.
  var isNeglected: Bool { isUnhosted && !wasHosted }

  func isHost(_ task: LoopTask) -> Bool {
    if case .hosted(let host) = mode { host === task } else { false }
  }

  /// Makes a task the host, if the loop has none.
  mutating func host(_ task: LoopTask) -> HostAdmission {
    switch mode {
    case .owned, .hosted: return .second
    case .ended: return .ended
    case .unhosted:
      (mode, wasHosted) = (.hosted(task), true)
      return .admitted
    }
  }

  /// Replaces the task of the host, unless another one is the host.
  mutating func replaceHost(_ old: LoopTask, by task: LoopTask) { if isHost(old) { mode = .hosted(task) } }

  /// Records that a host makes no further run; returns whether the caller stops the loop.
  ///
  /// Pending requests stay for the next host. If the loop is finishing, it ends instead, because another host
  /// may never come.
  mutating func leave(_ host: LoopTask) -> Bool {
    guard isHost(host) else { return false }
    mode = .unhosted
    return isFinishing
  }

  /// Lets no further run begin. The caller has dropped all pending work.
  ///
  /// - Returns: The previous mode, which is released after the lock is released; nil if the loop had ended.
  mutating func end() -> Mode? {
    guard !hasEnded else { return nil }
    defer { mode = .ended }
    return mode
  }

  // MARK: Waits

  /// Whether a task has nothing to wait for.
  ///
  /// - Parameter isDue: Whether a host has a run to begin.
  func isReached(_ goal: LoopWait.Goal, isPending: Bool, isRunning: Bool, isDue: Bool) -> Bool {
    switch goal {
    case .settled: !isRunning && !isPending
    // A further host may never come.
    case .finished: !isRunning && (!isPending || isFinishing && isUnhosted)
    case .run(let task): !isHost(task) || isDue
    }
  }

  /// Ends the waits of tasks that have nothing to wait for.
  mutating func endReached(isPending: Bool, isRunning: Bool, isDue: Bool) -> [CancellableWait.Resumption] {
    guard !waits.isEmpty else { return [] }
    let state = self
    return waits.end {
      state.isReached($0.goal, isPending: isPending, isRunning: isRunning, isDue: isDue)
    }
  }
}

/// The answer to a task that asks to be the host of a loop.
enum HostAdmission {
  case admitted
  /// The loop has ended.
  case ended
  /// Other tasks make the runs.
  case second
}

/// One wait of a task for the runs of a loop.
package final class LoopWait: WaitListEntry {
  /// The state for which a task waits.
  package enum Goal: Sendable {
    /// Nothing runs and nothing is pending.
    case settled
    /// The loop has ended, or there is no task to make the last run.
    case finished
    /// A run is due for a host, or the task is no longer the host.
    case run(LoopTask)
  }

  package var state: CancellableWait = .new
  let goal: Goal

  package init(until goal: Goal) { self.goal = goal }

  /// Whether the task is a host.
  var isHost: Bool { if case .run = goal { true } else { false } }
}

// SAFETY: the state is used under the lock of the runs only.
extension LoopWait: @unchecked Sendable {}

/// The task that makes one run of an owned loop, or the runs of one host until one of them is cancelled.
///
/// The object exists before its task. The task may begin and end before the thread that created the task
/// stores it here.
package final class LoopTask: Sendable {
  /// The task, and whether `cancel()` was called. The task is cancelled, and released, after the lock is
  /// released.
  private let state: Guarded<(task: (any CancellableRun)?, isCancelled: Bool)> = Guarded((nil, false))

  package init() {}

  /// Stores the task, and cancels it if `cancel()` was already called.
  package func store(_ task: any CancellableRun) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels the task, even if the task is stored after this call.
  package func cancel() {
    let task = state.withLock { state -> (any CancellableRun)? in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}

/// A task that can be cancelled.
package protocol CancellableRun: Sendable {
  func cancel()
}

extension Task: CancellableRun {}
