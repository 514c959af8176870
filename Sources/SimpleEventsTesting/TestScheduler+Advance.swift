public import SimpleEvents

extension TestScheduler {
  /// Moves time forward, and runs the work that falls due, at the new instant included.
  ///
  /// - Parameter duration: The time that passes. Zero runs the work that is due now; less than zero means zero.
  public func advance(by duration: Duration = .zero) {
    advance(to: now.advanced(by: duration))
  }

  /// Moves time to an instant, and runs the work that falls due until then, at that instant included.
  ///
  /// - Parameter instant: The new instant. One in the past means the present.
  public func advance(to instant: EventInstant) {
    drive {
      let end = max(instant, now)
      while runNext(until: end) {}
      state.withLock { $0.now = end }
    }
  }

  /// Runs work until none is pending, and moves time to each deadline.
  ///
  /// - Parameter limit: The largest number of pieces to run, so that work that always schedules more does not hang a test.
  /// - Returns: The number of pieces that ran: the limit, if work is left.
  @discardableResult
  public func run(limit: Int = 1_000_000) -> Int {
    var count = 0
    drive {
      while count < limit && runNext(until: .lastThatComes) {
        count += 1
      }
    }
    return count
  }

  /// Calls a body that runs entries, and flags a call inside another.
  private func drive(_ body: () -> Void) {
    guard let hold = beginDriving() else {
      return subject.misuse.flag(.nestedAdvance(of: subject))
    }
    body()
    endDriving(hold)
  }
}
