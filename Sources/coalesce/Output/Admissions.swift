package import SimpleEvents

/// The admissions of a rate. Each admits one delivery.
package final class Admissions: Sendable {
  private struct State {
    /// The number of admissions that no delivery has used, and that any delivery may use.
    var unused: Int = 0
    /// The keys with an admission that a replaced delivery has not used.
    var reserved: Set<LineKey?> = []
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
  /// other keys. The caller then reserves the admission for the next delivery of the key.
  ///
  /// - Parameter key: The key of the delivery; nil without keys.
  package func take(for key: LineKey? = nil) async -> Bool {
    guard let limiter else { return true }
    let wait = state.withLock { state -> (number: Int, task: Task<Void, any Error>)? in
      if state.reserved.remove(key) != nil { return nil }
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
  package func giveBack() {
    if limiter != nil { state.withLock { $0.unused += 1 } }
  }

  /// Keeps an admission for the next delivery of a key. That delivery takes or releases it.
  package func reserve(for key: LineKey? = nil) {
    if limiter != nil { state.withLock { _ = $0.reserved.insert(key) } }
  }

  /// Lets any delivery use the admission that is reserved for a key, if there is one.
  package func release(_ key: LineKey? = nil) {
    state.withLock { if $0.reserved.remove(key) != nil { $0.unused += 1 } }
  }

  /// Ends all waits. No further delivery is admitted.
  package func end() {
    let waits = state.withLock { state in
      state.hasEnded = true
      return state.waits.values.map { $0 }
    }
    for wait in waits { wait.cancel() }
  }
}
