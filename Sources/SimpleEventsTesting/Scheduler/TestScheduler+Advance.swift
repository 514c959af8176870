public import SimpleEvents

extension TestScheduler {
  /// Moves time forward, and runs all work that is due by the new instant.
  ///
  /// - Parameters:
  ///   - duration: The time that passes. Zero runs the work that is due now; less than zero means zero.
  ///   - limit: The largest number of entries to run; zero or less runs none. If more are due, they stay
  ///     pending, time stays at the instant that was reached, and a debug build flags the objects that
  ///     deliver there again and again (C11).
  public func advance(by duration: Duration = .zero, limit: Int = 1_000_000) {
    advance(to: now.advanced(by: duration), limit: limit)
  }

  /// Moves time to an instant, and runs all work that is due by that instant.
  ///
  /// `EventInstant.distantFuture` is never reached: an advance to it runs all other work, and stops before
  /// it.
  ///
  /// - Parameters:
  ///   - instant: The new instant. An instant in the past means the present.
  ///   - limit: The largest number of entries to run, as for ``advance(by:limit:)``.
  public func advance(to instant: EventInstant, limit: Int = 1_000_000) {
    var isComplete = true
    whileDriving {
      let end = max(min(instant, .latestReachable), now)
      var count = 0
      repeat {
        while count < limit && runNext(until: end) { count += 1 }
        // Another thread may have added an entry in the meantime.
        isComplete = state.withLock { $0.move(to: end) }
      } while !isComplete && count < limit
    }
    if !isComplete { flagLimit(limit) }
  }

  /// Runs all pending work, and moves time to each deadline.
  ///
  /// Work at `EventInstant.distantFuture` never runs.
  ///
  /// - Parameter limit: The largest number of pieces to run, so that endless work does not hang a test; zero
  ///   or less runs none.
  /// - Returns: The number of pieces that ran: the limit, if work is left. This is not flagged.
  @discardableResult
  public func run(limit: Int = 1_000_000) -> Int {
    var count = 0
    whileDriving {
      while count < limit && runNext(until: .latestReachable) {
        count += 1
      }
    }
    return count
  }

  /// Calls a body that runs entries; flags a nested call.
  private func whileDriving(_ body: () -> Void) {
    guard let scope = beginDriving() else {
      return subject.misuse.flag(.nestedAdvance(of: subject))
    }
    body()
    endDriving(scope)
  }

  /// Flags that work is due at the present instant after a run has reached its limit.
  func flagIfDue(_ limit: Int) {
    if state.withLock({ $0.isAnythingDue }) { flagLimit(limit) }
  }

  private func flagLimit(_ limit: Int) {
    let (instant, hasJobs) = state.withLock { ($0.now, !$0.jobs.isEmpty) }
    subject.misuse.flag(
      .advanceLimitReached(
        limit, of: subject, at: "\(instant)", by: busiestObjects.map(\.subject), hasJobs: hasJobs))
  }
}

extension TestScheduler.State {
  /// Moves time to an instant, unless a limit has left work that is due by then; returns whether time moved.
  fileprivate mutating func move(to instant: EventInstant) -> Bool {
    guard jobs.isEmpty && queue.first().map({ $0 > instant }) ?? true else { return false }
    now = instant
    return true
  }
}
