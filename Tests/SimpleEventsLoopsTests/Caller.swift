import SimpleEvents
import SimpleEventsTesting
import TestSupport

/// A caller that waits for the answer of a loop.
final class Caller: Sendable {
  private let task: Guarded<Task<Void, Never>?> = Guarded(nil)

  /// Starts the caller at an instant. A script logs the answer, or the name of the caller and its error.
  init(
    _ add: @escaping @Sendable (String) -> Void, on scheduler: TestScheduler, at milliseconds: Int,
    answer: String,
    error name: String,
    _ operation: @escaping @Sendable () async throws -> Void
  ) {
    scheduler.at(milliseconds) { [self] in
      let caller = Task(executorPreference: scheduler) {
        do {
          try await operation()
          add(answer)
        } catch {
          add("\(name): \(error)")
        }
      }
      task.withLock { $0 = caller }
    }
  }

  func cancel() { task.withLock { $0 }?.cancel() }
}
