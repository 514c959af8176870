/// Work that waits for an actor, first in first out, and is drained by one job at a time.
///
/// An executor may run the jobs of an actor in any order, for example those of a higher priority first. One job for all
/// work keeps the order of the work.
package struct ActorLine: ~Copyable, Sendable {
  // NB: not private, because the 6.3 compiler emits a broken module for the class in another file that has a line.
  struct State {
    var waiting: ContiguousArray<@Sendable () -> Void> = []
    /// The highest priority of the work that waits.
    var priority: TaskPriority = .unspecified
    /// Whether a job is queued or running.
    var hasJob: Bool = false

    /// The priority of the job that the caller queues for the work that waits.
    mutating func takePriority() -> TaskPriority {
      hasJob = true
      defer { priority = .unspecified }
      return priority
    }
  }

  /// Guards the work that waits. It runs, and is released, after the lock.
  private let state: Guarded<State> = Guarded(State())

  package init() {}

  /// Adds work.
  ///
  /// - Returns: The priority of a job that the caller queues, which calls ``drain()``; nil if a job is queued or running.
  package borrowing func add(_ work: @escaping @Sendable () -> Void, at priority: TaskPriority)
    -> TaskPriority?
  {
    state.withLock { state in
      state.waiting.append(work)
      state.priority = max(state.priority, priority)
      return state.hasJob ? nil : state.takePriority()
    }
  }

  /// Runs the work that waits, and releases each piece after it has run. Work that is added meanwhile waits for the next
  /// job, so that the actor has other turns in between.
  ///
  /// - Returns: The priority of another job that the caller queues; nil if no work waits.
  package borrowing func drain() -> TaskPriority? {
    var batch = state.withLock { state in
      defer { (state.waiting, state.priority) = ([], .unspecified) }
      return state.waiting
    }
    batch.reverse()
    while let work = batch.popLast() { work() }
    return state.withLock { state in
      state.hasJob = !state.waiting.isEmpty
      return state.hasJob ? state.takePriority() : nil
    }
  }
}

extension TaskPriority {
  /// The priority of work that no task has asked for.
  static let unspecified: TaskPriority = TaskPriority(rawValue: 0)
}
