package import SimpleEvents

/// The admissions of a rate. Each admits one delivery.
package final class Admissions: Sendable {
  private let limiter: RateLimiter?
  /// Guards the number of admissions that no delivery has used.
  private let unused: Guarded<Int> = Guarded(0)

  /// - Parameter rate: The rate; nil if deliveries are admitted at any time.
  package init(_ rate: RateLimiter?) { limiter = rate }

  /// Waits for an admission; returns false if the task is cancelled.
  package func take() async -> Bool {
    let isUnused = unused.withLock { count in
      defer { count = max(0, count - 1) }
      return count > 0
    }
    if isUnused { return true }
    do {
      try await limiter?.acquire()
      return true
    } catch {
      return false
    }
  }

  /// Returns an admission that a delivery has not used, so that the next delivery need not wait for another.
  package func giveBack() { unused.withLock { $0 += 1 } }
}
