import SimpleEvents
import Synchronization

/// Passes everything on to another scheduler, and counts.
final class CountingScheduler: EventScheduler {
  private struct Counts {
    var turns: Int = 0
    var armed: Int = 0
    var waiting: Int = 0
    var mostAtOnce: Int = 0
    var clockReads: Int = 0
  }

  private let base: any EventScheduler
  private let counts: Mutex<Counts> = Mutex(Counts())

  init(_ base: any EventScheduler) {
    self.base = base
  }

  /// Turns asked for.
  var turns: Int { counts.withLock { $0.turns } }
  /// Timers armed.
  var armed: Int { counts.withLock { $0.armed } }
  /// The most timers that were armed at the same time.
  var mostAtOnce: Int { counts.withLock { $0.mostAtOnce } }
  /// How often the clock was read.
  var clockReads: Int { counts.withLock { $0.clockReads } }

  var now: EventInstant {
    counts.withLock { $0.clockReads += 1 }
    return base.now
  }
  var isCurrent: Bool { base.isCurrent }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    counts.withLock { $0.turns += 1 }
    base.schedule(work)
  }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    counts.withLock { counts in
      counts.armed += 1
      counts.waiting += 1
      counts.mostAtOnce = max(counts.mostAtOnce, counts.waiting)
    }
    let counted = CountedWork(self)
    let work = base.schedule(at: deadline, tolerance: tolerance) {
      counted.end()
      work()
    }
    counted.base.withLock { $0 = work }
    return counted
  }

  fileprivate func oneLess() {
    counts.withLock { $0.waiting -= 1 }
  }
}

/// Work on a counting scheduler: ends once, by being run or by being cancelled.
private final class CountedWork: ScheduledWork {
  let base: Mutex<(any ScheduledWork)?> = Mutex(nil)
  private let scheduler: CountingScheduler
  private let isWaiting: Atomic<Bool> = Atomic(true)

  init(_ scheduler: CountingScheduler) {
    self.scheduler = scheduler
  }

  func end() {
    // Relaxed: only one of the two may count, which the exchange alone sees to.
    if isWaiting.exchange(false, ordering: .relaxed) {
      scheduler.oneLess()
    }
  }

  func cancel() {
    end()
    base.withLock { $0 }?.cancel()
  }
}
