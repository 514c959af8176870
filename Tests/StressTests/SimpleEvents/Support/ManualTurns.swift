import SimpleEvents

/// A scheduler that runs its turns when a test asks for them, even one inside another.
final class ManualTurns: EventScheduler {
  private let pending: Guarded<[@Sendable () -> Void]> = Guarded([])

  let now: EventInstant = EventInstant(nanoseconds: 0)
  let isCurrent: Bool = true

  func schedule(_ work: @escaping @Sendable () -> Void) {
    pending.withLock { $0.append(work) }
  }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    fatalError("this scheduler has no timers")
  }

  func runAll() {
    let works = pending.withLock { pending -> [@Sendable () -> Void] in
      defer { pending = [] }
      return pending
    }
    works.forEach { $0() }
  }
}
