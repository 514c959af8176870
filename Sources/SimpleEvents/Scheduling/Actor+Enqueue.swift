extension Actor {
  /// Runs work on this actor, as a job that is enqueued directly on the actor's executor.
  ///
  /// A task that hopped to the actor would need a thread of the global pool first. The job keeps the actor
  /// alive, and inherits no task-local values from the caller.
  ///
  /// - Parameter priority: The priority of the job.
  nonisolated func enqueue(at priority: TaskPriority, _ work: @escaping @Sendable () -> Void) {
    let start: (isolated any Actor) -> Void = { actor in
      let operation: @isolated(any) () async -> Void = {
        _ = actor
        work()
      }
      // SAFETY: the operation captures the actor and `Sendable` work, and is used once.
      nonisolated(unsafe) let job = operation
      unsafe Task.detached(priority: priority, operation: job)
    }
    // SAFETY: isolation is not part of a function's representation. The function uses no state of the actor:
    // it only starts a task that captures the actor.
    unsafe unsafeBitCast(start, to: ((any Actor) -> Void).self)(self)
  }
}
