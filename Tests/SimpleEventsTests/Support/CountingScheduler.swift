import SimpleEvents
import Synchronization

/// A scheduler that counts the calls that it forwards to another scheduler.
final class CountingScheduler: EventScheduler {
  private struct Counts {
    var turns: Int = 0
    var armed: Int = 0
    var pending: Int = 0
    var mostAtOnce: Int = 0
    var clockReads: Int = 0
  }

  private let base: any EventScheduler
  private let counts: Guarded<Counts> = Guarded(Counts())

  init(_ base: any EventScheduler) {
    self.base = base
  }

  /// The number of turns that were asked for.
  var turns: Int { counts.withLock { $0.turns } }
  /// The number of timers that were armed.
  var armed: Int { counts.withLock { $0.armed } }
  /// The largest number of timers that were armed at the same time.
  var mostAtOnce: Int { counts.withLock { $0.mostAtOnce } }
  /// The number of readings of the clock.
  var clockReads: Int { counts.withLock { $0.clockReads } }

  var now: EventInstant {
    counts.withLock { $0.clockReads += 1 }
    return base.now
  }
  var isCurrent: Bool { base.isCurrent }
  var taskExecutor: (any TaskExecutor)? { base.taskExecutor }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    counts.withLock { $0.turns += 1 }
    base.schedule(work)
  }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    counts.withLock { counts in
      counts.armed += 1
      counts.pending += 1
      counts.mostAtOnce = max(counts.mostAtOnce, counts.pending)
    }
    let counted = CountedWork(self)
    let work = base.schedule(at: deadline, tolerance: tolerance) {
      counted.end()
      work()
    }
    counted.base.withLock { $0 = work }
    return counted
  }

  fileprivate func workEnded() {
    counts.withLock { $0.pending -= 1 }
  }
}

/// Work on a counting scheduler. It ends once, when it runs or when it is cancelled.
private final class CountedWork: ScheduledWork {
  let base: Guarded<(any ScheduledWork)?> = Guarded(nil)
  private let scheduler: CountingScheduler
  private let isPending: Atomic<Bool> = Atomic(true)

  init(_ scheduler: CountingScheduler) {
    self.scheduler = scheduler
  }

  func end() {
    // Relaxed: the exchange alone makes sure that the end is counted once.
    if isPending.exchange(false, ordering: .relaxed) {
      scheduler.workEnded()
    }
  }

  func cancel() {
    end()
    base.withLock { $0 }?.cancel()
  }
}
