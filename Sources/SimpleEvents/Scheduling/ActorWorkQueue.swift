/// A queue of work for an actor, first in first out. One job at a time drains it.
///
/// An executor may run the jobs of an actor in any order, for example jobs of a higher priority first. One
/// job for all work keeps the order of the work. For work of a higher priority than the queued job, a further
/// job is queued, and the job that runs first drains the whole queue.
package struct ActorWorkQueue: ~Copyable, Sendable {
  // NB: if this structure is private, the 6.3 compiler emits a broken module for a class in another file that
  // stores such a queue.
  struct State {
    var waiting: ContiguousArray<@Sendable () -> Void> = []
    /// The highest priority of the queued work.
    var priority: TaskPriority = .unspecified
    /// The priorities of the queued jobs, at most one of each.
    var jobs: [TaskPriority] = []
    var isDraining: Bool = false

    /// Records a job for the queued work and returns its priority; returns nil if no further job is needed.
    ///
    /// No further job is needed if a job runs, or if a job of this or a higher priority is queued.
    mutating func takeJob(at priority: TaskPriority) -> TaskPriority? {
      guard !isDraining && !jobs.contains(where: { $0 >= priority }) else { return nil }
      jobs.append(priority)
      return priority
    }

    /// Checks that queued work has a job of its priority or a higher one, unless a job is running.
    ///
    /// - Complexity: O(1), since there are few priorities.
    func checkInvariants() {
      invariant(
        waiting.isEmpty || isDraining || jobs.contains { $0 >= priority },
        "S1: work that waits has a job of its priority")
      invariant(Set(jobs.map(\.rawValue)).count == jobs.count, "at most one job of a priority is queued")
      invariant(!waiting.isEmpty || priority == .unspecified, "an empty queue has no priority")
    }
  }

  /// Guards the queued work. Work runs, and is released, after the lock is released.
  private let state: Guarded<State> = Guarded(State())

  package init() {}

  /// Adds work.
  ///
  /// - Returns: The priority at which the caller queues a job that calls ``drain(at:)``; nil if no further
  ///   job is needed.
  package borrowing func add(_ work: @escaping @Sendable () -> Void, at priority: TaskPriority)
    -> TaskPriority?
  {
    state.withLock { state in
      state.waiting.append(work)
      state.priority = max(state.priority, priority)
      defer { state.checkInvariants() }
      return state.takeJob(at: priority)
    }
  }

  /// Runs the queued work, and releases each piece after it has run. Work that is added in the meantime is
  /// left to the next job, so that the actor has other turns in between.
  ///
  /// - Parameter priority: The priority with which the job was queued.
  /// - Returns: The priority at which the caller queues another job; nil if no further job is needed.
  package borrowing func drain(at priority: TaskPriority) -> TaskPriority? {
    var batch = state.withLock { state in
      state.isDraining = true
      state.jobs.removeAll { $0 == priority }
      defer { (state.waiting, state.priority) = ([], .unspecified) }
      return state.waiting
    }
    batch.reverse()
    while let work = batch.popLast() { work() }
    return state.withLock { state in
      state.isDraining = false
      defer { state.checkInvariants() }
      return state.waiting.isEmpty ? nil : state.takeJob(at: state.priority)
    }
  }
}

extension TaskPriority {
  /// The priority of work that was scheduled outside of a task.
  static let unspecified: TaskPriority = TaskPriority(rawValue: 0)
}
