package import Dispatch

/// An actor of the model: its jobs are work of a queue.
package protocol QueuedActor: Actor {
  nonisolated var jobs: DispatchQueue { get }
}

extension Actor {
  /// Queues a job, in place of the library's function of this name, which starts a task.
  nonisolated func enqueue(at priority: TaskPriority, _ work: @escaping @Sendable () -> Void) {
    guard let actor = self as? any QueuedActor else { fatalError("an actor of a scenario is a QueuedActor") }
    actor.jobs.async { withExtendedLifetime(actor) { work() } }
  }
}
