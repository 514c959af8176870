internal import Dispatch

/// The scheduled work of one dispatch queue. One timer source at a time is armed for all of the work.
///
/// Dispatch alone is not enough, for two reasons. Timers that are due at the same instant fire in any order
/// (S1). And a cancelled work item of `asyncAfter` stays queued until its deadline, so memory would grow
/// without bound if work is scheduled and cancelled at a high rate (C3).
///
/// Work that is due runs in the handler of the source, without another turn of the queue (C10). On a
/// concurrent queue, that work may still be running when the next work is due, and a source does not fire
/// while its handler runs. Each source therefore fires once. Its handler arms another source for the next
/// deadline before it runs the work.
final class QueueTimers: Sendable {
  struct State {
    var queue: TimeQueue<QueuedWork> = TimeQueue()
    /// The armed source. It is kept while work is pending, and for a while after the last work was cancelled.
    var timer: ArmedSource?
    /// Whether a call of `cleanUp()` is queued.
    var isCleaningQueued: Bool = false

    /// Checks that the timer wakes the queue for the first deadline.
    mutating func checkInvariants() {
      guard let first = queue.first() else { return }
      invariant(
        timer.map { $0.wakeUp <= first } ?? false,
        "S1: pending work has a timer that is set for its deadline or earlier")
    }
  }

  /// A source that has been activated, and its setting.
  struct ArmedSource {
    /// The source keeps the dispatch queue alive, and the queue keeps these timers alive.
    let source: any DispatchSourceTimer
    /// The instant for which the source is set; never later than the first deadline.
    var wakeUp: EventInstant
    /// The smallest tolerance of all work since the queue was last empty, in nanoseconds.
    ///
    /// The source may be late by the tolerance of the first work, but must not be late for other work that
    /// has a smaller tolerance.
    var tolerance: Int64

    func set() {
      // NB: Dispatch interprets an uptime of zero as the present.
      let time = DispatchTime(uptimeNanoseconds: UInt64(max(wakeUp.nanoseconds, 1)))
      let isNever = wakeUp == .distantFuture
      source.schedule(deadline: isNever ? .distantFuture : time, leeway: .nanoseconds(Int(tolerance)))
    }
  }

  /// Guards the pending work. Work runs, and is released, after the lock is released.
  private let state: Guarded<State> = Guarded(State())

  /// Schedules work.
  ///
  /// - Parameter queue: The queue that runs the work. It is the same in every call.
  func schedule(
    at deadline: EventInstant, tolerance: Duration, on queue: DispatchQueue,
    _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let tolerance = max(0, tolerance.saturatingNanoseconds)
    let ticket = state.withLock { state in
      defer { state.checkInvariants() }
      let ticket = state.queue.push(QueuedWork(work), at: deadline)
      guard var timer = state.timer else {
        state.timer = makeTimer(at: deadline, tolerance, on: queue)
        return ticket
      }
      if deadline < timer.wakeUp || tolerance < timer.tolerance {
        timer.wakeUp = min(deadline, timer.wakeUp)
        timer.tolerance = min(tolerance, timer.tolerance)
        timer.set()
        state.timer = timer
      }
      return ticket
    }
    return QueueTimerWork(ticket, of: self, on: queue)
  }

  fileprivate func cancel(_ ticket: TimeTicket, on queue: DispatchQueue) {
    var needsCleaning = false
    let work = state.withLock { state -> QueuedWork? in
      let work = state.queue.take(ticket)
      needsCleaning = state.queue.count == 0 && state.timer != nil && !state.isCleaningQueued
      state.isCleaningQueued = state.isCleaningQueued || needsCleaning
      state.checkInvariants()
      return work
    }
    if needsCleaning {
      // NB: the source is not released here. A cancelled source stays allocated until the queue has a turn,
      // so a busy queue would keep one source for each time that work is scheduled and cancelled (C3).
      queue.async { [self] in cleanUp() }
    }
    // The captures of the work are released here, after the lock is released.
    withExtendedLifetime(work) {}
  }

  /// Releases the source, and the dispatch queue with it, if no work is pending.
  private func cleanUp() {
    state.withLock { state in
      state.isCleaningQueued = false
      if state.queue.count == 0 { state.timer.take()?.source.cancel() }
      state.checkInvariants()
    }
  }

  /// Runs the work that is due. The source calls this method on the queue, perhaps early.
  ///
  /// Each piece of work is removed from the time queue directly before it runs: until then another piece can
  /// cancel it (S2).
  private func fire(on queue: DispatchQueue) {
    let now = EventInstant.uptime
    let due = state.withLock { state -> ContiguousArray<TimeTicket> in
      var due: ContiguousArray<TimeTicket> = []
      while let item = state.queue.pop(until: now) { due.append(item.ticket) }
      defer { state.checkInvariants() }
      guard let next = state.queue.first() else {
        state.timer.take()?.source.cancel()
        return due
      }
      if due.isEmpty {
        state.timer?.wakeUp = next
        state.timer?.set()
      } else {
        // The work may run for a long time, so another source is armed for the next deadline.
        state.timer?.source.cancel()
        state.timer = makeTimer(at: next, state.timer?.tolerance ?? 0, on: queue)
      }
      return due
    }
    guard !due.isEmpty else { return }
    SharedBatch(due) { [self] ticket in takeWork(ticket)?() }.run(on: queue)
  }

  private func takeWork(_ ticket: TimeTicket) -> QueuedWork? {
    state.withLock { $0.queue.take(ticket) }
  }

  private func makeTimer(at deadline: EventInstant, _ tolerance: Int64, on queue: DispatchQueue)
    -> ArmedSource
  {
    let source = DispatchSource.makeTimerSource(queue: queue)
    let timer = ArmedSource(source: source, wakeUp: deadline, tolerance: tolerance)
    timer.set()
    source.setEventHandler { [self] in fire(on: queue) }
    // NB: releasing a source that was never activated stops the program.
    source.activate()
    return timer
  }
}

/// Cancels work that is scheduled on a dispatch queue.
private final class QueueTimerWork: ScheduledWork {
  private let ticket: TimeTicket
  private let timers: QueueTimers
  private let queue: DispatchQueue

  init(_ ticket: TimeTicket, of timers: QueueTimers, on queue: DispatchQueue) {
    self.ticket = ticket
    self.timers = timers
    self.queue = queue
  }

  func cancel() { timers.cancel(ticket, on: queue) }
}
