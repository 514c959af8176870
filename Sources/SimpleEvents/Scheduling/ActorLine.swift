/// Work that waits for an actor, first in first out, and is drained by one job at a time.
///
/// An executor may run the jobs of an actor in any order, for example those of a higher priority first. One job for all
/// work keeps the order of the work.
package struct ActorLine: ~Copyable, Sendable {
  // NB: not private, because the 6.3 compiler emits a broken module for the class in another file that has a line.
  struct State {
    var waiting: ContiguousArray<@Sendable () -> Void> = []
    /// Whether a job is queued or running.
    var hasJob: Bool = false
  }

  /// Guards the work that waits. It runs, and is released, after the lock.
  private let state: Guarded<State> = Guarded(State())

  package init() {}

  /// Adds work.
  ///
  /// - Returns: Whether the caller queues a job, which calls ``drain()``.
  package borrowing func add(_ work: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      state.waiting.append(work)
      defer { state.hasJob = true }
      return !state.hasJob
    }
  }

  /// Runs the work that waits. Work that is added meanwhile waits for the next job, so that the actor has other turns in
  /// between.
  ///
  /// - Returns: Whether the caller queues another job.
  package borrowing func drain() -> Bool {
    let batch = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for work in batch { work() }
    return state.withLock { state in
      state.hasJob = !state.waiting.isEmpty
      return state.hasJob
    }
  }
}
