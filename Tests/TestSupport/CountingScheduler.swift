package import SimpleEvents
internal import Synchronization

/// A scheduler that counts the calls that it forwards to another scheduler.
package final class CountingScheduler: EventScheduler {
  /// The counts of one or several schedulers.
  package struct Counts: Sendable {
    /// The number of turns that were requested.
    package var turns: Int = 0
    /// The number of timers that were armed.
    package var armed: Int = 0
    /// The number of timers that are armed now.
    package fileprivate(set) var pending: Int = 0
    /// The largest number of timers that were armed at the same time.
    package fileprivate(set) var mostAtOnce: Int = 0
    /// The number of turns and timers that ran their work.
    package fileprivate(set) var wakeUps: Int = 0
    /// The number of readings of the clock.
    package fileprivate(set) var clockReads: Int = 0

    package init() {}
  }

  private let base: any EventScheduler
  private let counted: Shared<Counts>

  /// - Parameters:
  ///   - base: The scheduler that runs the work.
  ///   - counts: The counts to which the scheduler adds its own.
  package init(_ base: any EventScheduler, _ counts: Shared<Counts> = Shared(Counts())) {
    self.base = base
    counted = counts
  }

  package var counts: Counts { counted.value }

  package var now: EventInstant {
    counted.change { $0.clockReads += 1 }
    return base.now
  }
  package var isCurrent: Bool { base.isCurrent }
  package var taskExecutor: (any TaskExecutor)? { base.taskExecutor }

  package func schedule(_ work: @escaping @Sendable () -> Void) {
    counted.change { $0.turns += 1 }
    base.schedule { [counted] in
      counted.change { $0.wakeUps += 1 }
      work()
    }
  }

  package func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    counted.change { counts in
      counts.armed += 1
      counts.pending += 1
      counts.mostAtOnce = max(counts.mostAtOnce, counts.pending)
    }
    let timer = CountedTimer(counted)
    let work = base.schedule(at: deadline, tolerance: tolerance) { [counted] in
      counted.change { $0.wakeUps += 1 }
      timer.end()
      work()
    }
    timer.base.value = work
    return timer
  }
}

/// Work with a deadline on a counting scheduler. The work ends once: when it runs, or when it is cancelled.
private final class CountedTimer: ScheduledWork {
  let base: Shared<(any ScheduledWork)?> = Shared(nil)
  private let counts: Shared<CountingScheduler.Counts>
  private let isPending: Atomic<Bool> = Atomic(true)

  init(_ counts: Shared<CountingScheduler.Counts>) { self.counts = counts }

  func end() {
    // The ordering is relaxed: the exchange alone ensures that the end is counted once.
    if isPending.exchange(false, ordering: .relaxed) { counts.change { $0.pending -= 1 } }
  }

  func cancel() {
    end()
    base.value?.cancel()
  }
}
