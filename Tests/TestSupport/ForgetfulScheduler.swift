package import SimpleEvents

/// A scheduler that runs nothing, and releases its work when a test says so.
package final class ForgetfulScheduler: EventScheduler {
  private final class Entry: ScheduledWork {
    func cancel() {}
  }

  /// Guards the work. It is released after the lock is released.
  private let work: Guarded<[@Sendable () -> Void]> = Guarded([])

  package init() {}

  package let now: EventInstant = EventInstant(nanoseconds: 0)
  package let isCurrent: Bool = false

  package func schedule(_ work: @escaping @Sendable () -> Void) { self.work.withLock { $0.append(work) } }

  package func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    schedule(work)
    return Entry()
  }

  package func forget() { _ = work.exchange([]) }
}
