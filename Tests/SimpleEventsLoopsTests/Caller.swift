import SimpleEvents

/// The task of a caller that waits, which may begin later.
final class Caller: Sendable {
  private let task: Guarded<Task<Void, Never>?> = Guarded(nil)

  func store(_ task: Task<Void, Never>) { self.task.withLock { $0 = task } }

  func cancel() { task.withLock { $0 }?.cancel() }
}
