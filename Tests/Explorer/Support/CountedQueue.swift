internal import ExplorerDispatch
internal import SimpleEvents

/// A scheduler on a dispatch queue that counts the requested turns and timers.
// SAFETY: all fibers run on one thread.
final class CountedQueue: EventScheduler, @unchecked Sendable {
  /// The number of armed timers.
  private(set) var armed: Int = 0
  /// The largest number of turns that were requested and had not begun.
  private(set) var mostTurns: Int = 0
  private var turns: Int = 0
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  var now: EventInstant { queue.now }

  var isCurrent: Bool { queue.isCurrent }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    turns += 1
    mostTurns = max(mostTurns, turns)
    queue.schedule { [self] in
      turns -= 1
      work()
    }
  }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    armed += 1
    let timer = CountedTimer(self)
    timer.work = queue.schedule(at: deadline, tolerance: tolerance) {
      timer.end()
      work()
    }
    return timer
  }

  /// A timer that is counted until it fires or is cancelled.
  // SAFETY: all fibers run on one thread.
  private final class CountedTimer: ScheduledWork, @unchecked Sendable {
    var work: (any ScheduledWork)?
    private var scheduler: CountedQueue?

    init(_ scheduler: CountedQueue) {
      self.scheduler = scheduler
    }

    func end() {
      scheduler?.armed -= 1
      scheduler = nil
    }

    func cancel() {
      end()
      work?.cancel()
    }
  }
}
