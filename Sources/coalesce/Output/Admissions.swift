package import SimpleEvents

/// The admissions of a rate. Each admits one delivery.
package final class Admissions: Sendable {
  private struct State {
    /// The number of admissions that no delivery has used.
    var unused: Int = 0
    /// The waits for admissions, by number.
    var waits: [Int: Task<Void, any Error>] = [:]
    var lastNumber: Int = 0
    var hasEnded: Bool = false
  }

  private let limiter: RateLimiter?
  private let scheduler: any EventScheduler
  /// Guards the state. Tasks are cancelled after the lock is released.
  private let state: Guarded<State> = Guarded(State())

  /// - Parameters:
  ///   - rate: The rate; nil if deliveries are admitted at any time.
  ///   - scheduler: The scheduler of the deliveries.
  package init(_ rate: RateLimiter?, on scheduler: some EventScheduler) {
    limiter = rate
    self.scheduler = scheduler
  }

  /// Waits for an admission; returns false after ``end()``.
  ///
  /// A cancellation does not end the wait: a delivery that is replaced would lose its place behind those of
  /// other keys. The caller then returns the admission by ``giveBack()``.
  package func take() async -> Bool {
    guard let limiter else { return true }
    let wait = state.withLock { state -> (number: Int, task: Task<Void, any Error>)? in
      if state.unused > 0 || state.hasEnded {
        state.unused = max(0, state.unused - 1)
        return nil
      }
      state.lastNumber += 1
      let task = Task(executorPreference: scheduler.taskExecutor) { try await limiter.acquire() }
      state.waits[state.lastNumber] = task
      return (state.lastNumber, task)
    }
    guard let wait else { return state.withLock { !$0.hasEnded } }
    let isAdmitted = (try? await wait.task.value) != nil
    state.withLock { $0.waits[wait.number] = nil }
    return isAdmitted
  }

  /// Returns an admission that a delivery has not used, so that the next delivery need not wait for another.
  package func giveBack() { state.withLock { $0.unused += 1 } }

  /// Ends all waits. No further delivery is admitted.
  package func end() {
    let waits = state.withLock { state in
      state.hasEnded = true
      return state.waits.values.map { $0 }
    }
    for wait in waits { wait.cancel() }
  }
}
