internal import SimpleEvents

/// A timer that ticks at multiples of an interval, counted from the creation of the timer.
///
/// The timer fires once each time it is armed, or repeatedly until it is removed.
final class IntervalTimer: SimpleEventToken {
  private struct State {
    var isArmed: Bool = false
    var isRemoved: Bool = false
    /// The number of the last instant for which the timer was armed. The first instant has the number one.
    var tick: Int64 = 0
    var work: (any ScheduledWork)?
  }

  private let scheduler: any EventScheduler
  private let repeats: Bool
  private let callback: (EventInstant) -> Void
  private let loss: () -> Void
  private let start: EventInstant
  /// The interval in nanoseconds. It is positive.
  private let interval: Int64
  /// Guards the timer. Work is cancelled and released after the lock is released.
  private let state: Guarded<State> = Guarded(State())

  /// - Parameters:
  ///   - interval: The time between two ticks. A time below one nanosecond means one nanosecond.
  ///   - scheduler: The scheduler that calls the callback and measures the time.
  ///   - repeats: Whether the timer arms itself again.
  ///   - loss: Called on any thread if the scheduler can no longer run work (S7).
  ///   - callback: Called on the scheduler with the instant that was due.
  init(
    every interval: Duration, on scheduler: any EventScheduler, repeats: Bool, loss: @escaping () -> Void,
    _ callback: @escaping (EventInstant) -> Void
  ) {
    self.loss = loss
    self.repeats = repeats
    self.scheduler = scheduler
    self.callback = callback
    start = scheduler.now
    self.interval = max(1, EventInstant(nanoseconds: 0).advanced(by: interval).nanoseconds)
  }

  /// Arms the timer for the next instant, unless the timer is already armed.
  ///
  /// The owner of the timer calls this method once. A timer that repeats then calls it after each callback.
  func arm() {
    let now = scheduler.now
    let tick = state.withLock { state -> Int64? in
      guard !state.isArmed && !state.isRemoved else { return nil }
      state.isArmed = true
      // If the current instant is a tick that has not fired yet, it is the next tick.
      let elapsed = max(0, start.nanoseconds(to: now))
      state.tick = max(state.tick + 1, (elapsed - 1) / interval + 1)
      return state.tick
    }
    guard let tick else { return }
    let work = scheduler.arm(instant(of: tick), ticket: UInt16(truncatingIfNeeded: tick), for: self)
    let isVoid = state.withLock { state -> Bool in
      // The work is no longer needed if the timer was removed in the meantime, or if the timer has already
      // fired. A timer that has fired can be armed for a later tick by now.
      guard state.isArmed && state.tick == tick && !state.isRemoved else { return true }
      state.work = work
      return false
    }
    if isVoid {
      work.cancel()
    }
  }

  func remove() {
    state.exchange(State(isRemoved: true)).work?.cancel()
  }

  private func fire() {
    let (tick, work) = state.withLock { state -> (Int64?, (any ScheduledWork)?) in
      state.isArmed = false
      return (state.isRemoved ? nil : state.tick, state.work.take())
    }
    withExtendedLifetime(work) {
      guard let tick else { return }
      callback(instant(of: tick))
      // The timer is armed after the call, so that a concurrent queue neither makes two calls at the same
      // time nor changes their order (V2).
      if repeats { arm() }
    }
  }

  private func instant(of tick: Int64) -> EventInstant { start.advanced(by: .nanoseconds(interval) * tick) }
}

extension IntervalTimer: Wakeable {
  func wake(_ cause: WakeCause) {
    switch cause {
    case .alarm: fire()
    case .lostAlarm: if state.withLock({ $0.isArmed && !$0.isRemoved }) { loss() }
    case .turn, .lostTurn: break
    }
  }
}

// SAFETY: the functions are plain functions. The callback is called on the scheduler, and the lock orders
// each call after the previous one. The function for the loss ends a subscription, which any thread may do.
// All other properties are immutable or behind the lock.
extension IntervalTimer: @unchecked Sendable {}
