public import SimpleEvents

extension TestScheduler {
  /// Moves time forward, and runs all work that is due by the new instant.
  ///
  /// - Parameters:
  ///   - duration: The time that passes. Zero runs the work that is due now; a negative duration counts as
  ///     zero.
  ///   - limit: The largest number of entries to run; zero or less runs none. If more entries are due, they
  ///     stay pending, and time stays at the instant that was reached. A debug build then flags the objects
  ///     that deliver at that instant again and again (C11).
  public func advance(by duration: Duration = .zero, limit: Int = 1_000_000) {
    advance(to: now.advanced(by: duration), limit: limit)
  }

  /// Moves time to an instant, and runs all work that is due by that instant.
  ///
  /// `EventInstant.distantFuture` is never reached: an advance to it runs the work at all other instants.
  ///
  /// - Parameters:
  ///   - instant: The new instant. A past instant counts as the current one.
  ///   - limit: The largest number of entries to run, as for ``advance(by:limit:)``.
  public func advance(to instant: EventInstant, limit: Int = 1_000_000) {
    var isComplete = true
    whileDriving {
      let end = max(min(instant, .latestReachable), now)
      var count = 0
      repeat {
        while count < limit && runNext(until: end) { count += 1 }
        // Another thread may have added an entry since the last one ran.
        isComplete = state.withLock { $0.move(to: end) }
      } while !isComplete && count < limit
    }
    if !isComplete { flagLimit(limit) }
  }

  /// Runs all pending work, and moves time to each deadline.
  ///
  /// Work at `EventInstant.distantFuture` never runs.
  ///
  /// - Parameter limit: The largest number of pieces of work to run, so that endless work does not hang a
  ///   test; zero or less runs none.
  /// - Returns: The number of pieces that ran. If work is left, the number equals the limit, and nothing is
  ///   flagged.
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

  /// Makes this thread the driver and calls a body that runs entries; flags a nested call.
  private func whileDriving(_ body: () -> Void) {
    guard let scope = beginDriving() else {
      return subject.misuse.flag(.nestedAdvance(of: subject))
    }
    body()
    endDriving(scope)
  }

  /// Flags work that is still due at the current instant after a run has reached its limit.
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
  /// Moves time to an instant, unless work that is due by then is left; returns whether time moved.
  fileprivate mutating func move(to instant: EventInstant) -> Bool {
    guard jobs.isEmpty && queue.first().map({ $0 > instant }) ?? true else { return false }
    now = instant
    return true
  }
}
