internal import Dispatch

/// The work of one dispatch queue that waits for its time, behind a single timer source.
///
/// Dispatch alone does not do, for two reasons. Timers that are due at the same instant fire in any
/// order (S1). And a work item of `asyncAfter` stays queued until its deadline also when it has been
/// cancelled, so that scheduling and cancelling at a high rate grows memory without bound (C3).
final class QueueTimers: Sendable {
  private struct State {
    var queue: TimeQueue = TimeQueue()
    /// There while anything waits: it keeps the dispatch queue alive, which in turn keeps this.
    var source: (any DispatchSourceTimer)?
    /// When the source fires, if it is there; never later than the first deadline.
    var wakeUp: EventInstant = .distantFuture
    /// Whether the queue has been asked to let go of an idle source.
    var isCleaningQueued: Bool = false
  }

  /// Guards what waits. Work runs, and is let go, after the lock.
  private let state: Guarded<State> = Guarded(State())

  func schedule(
    at deadline: EventInstant, tolerance: Duration, on queue: DispatchQueue,
    _ work: @escaping @Sendable () -> Void
  ) -> any ScheduledWork {
    let tolerance = max(0, tolerance.saturatingNanoseconds)
    let ticket = state.withLock { state in
      let ticket = state.queue.push(work, at: deadline, tolerance: tolerance)
      if state.source == nil || deadline < state.wakeUp {
        wake(for: (deadline, tolerance), &state, on: queue)
      }
      return ticket
    }
    return QueueTimerWork(ticket, in: self, on: queue)
  }

  fileprivate func cancel(_ ticket: TimeQueue.Ticket, on queue: DispatchQueue) {
    var needsCleaning = false
    let work = state.withLock { state -> TimeQueue.Work? in
      let work = state.queue.takeWork(ticket)
      needsCleaning = state.queue.count == 0 && state.source != nil && !state.isCleaningQueued
      state.isCleaningQueued = state.isCleaningQueued || needsCleaning
      return work
    }
    if needsCleaning {
      // NB: not here. A source that is cancelled stays until the queue gets round to it, and a busy one
      // would gather one for each time that somebody asks and cancels (C3).
      queue.async { [self] in cleanUp() }
    }
    // What the work captured is let go here: after the lock.
    withExtendedLifetime(work) {}
  }

  /// Lets go of the source, and of the dispatch queue with it, if there is still nothing to wait for.
  private func cleanUp() {
    state.withLock { state in
      state.isCleaningQueued = false
      if state.queue.count == 0 {
        state.source?.cancel()
        state.source = nil
      }
    }
  }

  /// Has the queue run what is due. The source fires on the queue, early at worst.
  ///
  /// Each piece is a turn of its own, so that on a concurrent queue a long one does not hold up the
  /// others, nor the source. It is taken out of the queue on that turn only: until then a peer can still
  /// cancel it (S2).
  private func fire(on queue: DispatchQueue) {
    let now = queue.now
    let due = state.withLock { state -> [TimeQueue.Ticket] in
      var due: [TimeQueue.Ticket] = []
      while let (_, ticket) = state.queue.pop(until: now) {
        due.append(ticket)
      }
      if let first = state.queue.first() {
        wake(for: first, &state, on: queue)
      } else {
        state.source?.cancel()
        state.source = nil
      }
      return due
    }
    for ticket in due {
      queue.async { [self] in
        let work = state.withLock { $0.queue.takeWork(ticket) }
        work?()
      }
    }
  }

  private func wake(
    for first: (deadline: EventInstant, tolerance: Int64), _ state: inout State, on queue: DispatchQueue
  ) {
    state.wakeUp = first.deadline
    let source = state.source ?? DispatchSource.makeTimerSource(queue: queue)
    source.schedule(
      deadline: DispatchTime(first.deadline), leeway: .nanoseconds(Int(first.tolerance)))
    if state.source == nil {
      state.source = source
      source.setEventHandler { [self] in fire(on: queue) }
      // NB: a source that is released without ever having been activated crashes.
      source.activate()
    }
  }
}

/// The means to cancel work on a dispatch queue.
private final class QueueTimerWork: ScheduledWork {
  private let ticket: TimeQueue.Ticket
  private let timers: QueueTimers
  private let queue: DispatchQueue

  init(_ ticket: TimeQueue.Ticket, in timers: QueueTimers, on queue: DispatchQueue) {
    self.ticket = ticket
    self.timers = timers
    self.queue = queue
  }

  func cancel() {
    timers.cancel(ticket, on: queue)
  }
}

extension DispatchTime {
  /// The dispatch time of an instant; one that never comes maps to the distant future.
  fileprivate init(_ instant: EventInstant) {
    let nanoseconds = UInt64(clamping: instant.nanoseconds)
    // NB: dispatch reads an uptime of zero as "now" and of the maximum as "never".
    self = instant == .distantFuture ? .distantFuture : DispatchTime(uptimeNanoseconds: max(nanoseconds, 1))
  }
}
