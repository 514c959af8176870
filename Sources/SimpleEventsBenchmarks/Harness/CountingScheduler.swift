internal import SimpleEvents
internal import Synchronization

/// The requests that the schedulers of one trial received.
///
/// All accesses are relaxed: the counters order nothing, and are read after all work has ended.
final class Tally: Sendable {
  let turns: Atomic<Int> = Atomic(0)
  let wakeUps: Atomic<Int> = Atomic(0)
  let timersArmed: Atomic<Int> = Atomic(0)
  let clockReads: Atomic<Int> = Atomic(0)

  /// The counts, or none if all are zero.
  var counts: [Count: Double] {
    let all: [Count: Int] = [
      .turns: turns.load(ordering: .relaxed),
      .wakeUps: wakeUps.load(ordering: .relaxed),
      .timersArmed: timersArmed.load(ordering: .relaxed),
      .clockReads: clockReads.load(ordering: .relaxed),
    ]
    return all.values.contains { $0 > 0 } ? all.mapValues(Double.init) : [:]
  }
}

/// A scheduler that counts requests and forwards them to another one.
///
/// It is used in counted passes only; times are measured on the queue itself.
final class CountingScheduler: EventScheduler {
  private let base: any EventScheduler
  private let tally: Tally

  init(_ base: any EventScheduler, _ tally: Tally) {
    self.base = base
    self.tally = tally
  }

  var now: EventInstant {
    tally.clockReads.add(1, ordering: .relaxed)
    return base.now
  }

  var isCurrent: Bool { base.isCurrent }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    tally.turns.add(1, ordering: .relaxed)
    base.schedule { [tally] in
      tally.wakeUps.add(1, ordering: .relaxed)
      work()
    }
  }

  func schedule(
    at deadline: EventInstant, tolerance: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    tally.timersArmed.add(1, ordering: .relaxed)
    return base.schedule(at: deadline, tolerance: tolerance) { [tally] in
      tally.wakeUps.add(1, ordering: .relaxed)
      work()
    }
  }
}
