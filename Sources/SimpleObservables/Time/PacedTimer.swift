internal import SimpleEvents

/// A timer that calls back at regular instants, counted from its creation: once for each time it is armed, or until it
/// is removed.
final class PacedTimer: SimpleEventToken {
  private struct State {
    var isArmed: Bool = false
    var isRemoved: Bool = false
    /// The number of the last instant that it was armed for; the first instant has the number one.
    var tick: Int64 = 0
    var work: (any ScheduledWork)?
  }

  private let scheduler: any EventScheduler
  private let repeats: Bool
  private let callback: (EventInstant) -> Void
  private let start: EventInstant
  /// In nanoseconds, positive.
  private let interval: Int64
  /// Guards the timer. Work is cancelled and released after the lock.
  private let state: Guarded<State> = Guarded(State())

  /// - Parameters:
  ///   - repeats: Whether it arms itself again.
  ///   - callback: Called on the scheduler with the instant that was due.
  init(
    every interval: Duration, on scheduler: any EventScheduler, repeats: Bool,
    _ callback: @escaping (EventInstant) -> Void
  ) {
    self.repeats = repeats
    self.scheduler = scheduler
    self.callback = callback
    start = scheduler.now
    self.interval = max(1, EventInstant(nanoseconds: 0).advanced(by: interval).nanoseconds)
  }

  /// Asks for a call at the next instant, unless that has been asked for.
  ///
  /// The caller makes one call at a time: a source, which sends one value at a time, or the timer itself.
  func arm() {
    let now = scheduler.now
    let tick = state.withLock { state -> Int64? in
      guard !state.isArmed && !state.isRemoved else { return nil }
      state.isArmed = true
      // Now counts as the next instant if it is one, unless that has been.
      let elapsed = now.nanoseconds - start.nanoseconds
      state.tick = max(state.tick + 1, (elapsed - 1) / interval + 1)
      return state.tick
    }
    guard let tick else { return }
    let deadline = start.advanced(by: .nanoseconds(interval) * tick)
    let work = scheduler.schedule(at: deadline, tolerance: .zero) { [weak self] in self?.fire(deadline) }
    let isVoid = state.withLock { state -> Bool in
      // The work is void if the timer was removed meanwhile, or has called back: then it may be armed for a later tick.
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

  private func fire(_ instant: EventInstant) {
    let (isWanted, work) = state.withLock { state -> (Bool, (any ScheduledWork)?) in
      state.isArmed = false
      return (!state.isRemoved, state.work.take())
    }
    withExtendedLifetime(work) {
      if isWanted {
        callback(instant)
        // After the call, so that a concurrent queue neither makes two calls at once nor changes their order (V2).
        if repeats {
          arm()
        }
      }
    }
  }
}

// SAFETY: the callback is a plain function. It is called on the scheduler, and the lock orders each call
// after the one before. All other properties are immutable or behind the lock.
extension PacedTimer: @unchecked Sendable {}
