package import Dispatch

/// An actor of the model. Its jobs are work of a queue.
package protocol QueuedActor: Actor {
  nonisolated var jobs: DispatchQueue { get }
}

extension Actor {
  /// Queues a job. This replaces the library's function of the same name, which starts a task.
  nonisolated func enqueue(at priority: TaskPriority, _ work: @escaping @Sendable () -> Void) {
    guard let actor = self as? any QueuedActor else { fatalError("an actor of a scenario is a QueuedActor") }
    actor.jobs.async { withExtendedLifetime(actor) { work() } }
  }
}
