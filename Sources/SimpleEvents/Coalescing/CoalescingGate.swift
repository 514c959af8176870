/// The engine behind every policy: decides when many signals become one delivery.
///
/// A pure state machine. It has no clock, no lock and no closure: told what happened and when, it says
/// what is to be done, and whoever holds it does it. Split into decision and effect after the state
/// machines of Swift Async Algorithms; the vocabulary is that of lodash's `debounce`.
///
/// The life of one delivery: a signal makes it *due*, at once or at the end of a window; a turn is
/// *asked* for; on that turn it has *started*; then it has *finished*. Signals before the start are part
/// of it, signals after that make the next one.
package struct CoalescingGate {
  /// What is to be done: nothing, one thing, or both.
  package struct Step: Equatable {
    /// Call `deliveryStarted()` on the scheduler's next turn.
    package var asksTurn: Bool = false
    /// Call `deadlineReached(at:)` at an instant.
    package var alarm: Alarm?

    package init(asksTurn: Bool = false, alarm: Alarm? = nil) {
      self.asksTurn = asksTurn
      self.alarm = alarm
    }
  }

  /// A timer to arm. The ticket tells it from those that were armed before and are void by now.
  package struct Alarm: Equatable {
    package var deadline: EventInstant
    package var ticket: UInt64

    package init(deadline: EventInstant, ticket: UInt64) {
      self.deadline = deadline
      self.ticket = ticket
    }
  }

  private let policy: CoalescingPolicy
  /// The end of the open window, nil while none is open.
  private var end: EventInstant?
  /// The instant by which the burst must have been delivered (`maxWait`).
  private var limit: EventInstant = .distantFuture
  /// Whether a signal waits for the end of the window.
  private var isUndelivered: Bool = false
  /// Whether a delivery is to start on the next turn.
  private var isDue: Bool = false
  /// Whether a turn has been asked for that has not come yet; it may find nothing to do.
  private var isAsked: Bool = false
  /// Whether a delivery has started and not finished.
  private var isRunning: Bool = false
  private var ticket: UInt64 = 0
  private var isArmed: Bool = false

  package init(policy: CoalescingPolicy) {
    self.policy = policy
  }

  /// Whether a delivery will come without a further signal.
  package var isPending: Bool { isDue || isUndelivered }

  /// Whether the alarm with this ticket is still waited for.
  package func awaits(_ ticket: UInt64) -> Bool { isArmed && ticket == self.ticket }

  /// Takes in a signal.
  ///
  /// - Parameter now: When it came, or nil if nobody has looked yet.
  /// - Returns: What to do; nil if that depends on the time, and no time was given.
  package mutating func signal(at now: EventInstant?) -> Step? {
    guard !policy.edges.isEmpty else { return Step() }
    if policy.kind == .nextTurn {
      isDue = true
      return Step(asksTurn: askTurn())
    }
    if let end, policy.edges.contains(.trailing) {
      // Open until its timer has come, however late that is. A signal after the end is delivered with
      // the late one and does not push it (C6).
      if policy.kind == .debounce {
        guard let now else { return nil }
        if now <= end {
          slide(from: now)
        }
      }
      markUndelivered()
      return Step()
    }
    guard let now else { return nil }
    if let end, now <= min(end, limit) {
      // Nothing will be delivered at the end, so no timer is armed: the window closes by being looked at.
      if policy.kind == .debounce {
        slide(from: now)
      }
      return Step()
    }
    return open(at: now)
  }

  /// Takes in that an alarm went off; too early and void ones are harmless.
  package mutating func deadlineReached(at now: EventInstant, ticket: UInt64) -> Step {
    guard awaits(ticket) else { return Step() }
    isArmed = false
    while let end, now >= min(end, limit) {
      let wasUndelivered = isUndelivered
      if isUndelivered {
        isUndelivered = false
        isDue = true
      }
      if limit < end {
        // The burst goes on. Instants that a late timer missed count once.
        let late = now.nanoseconds - limit.nanoseconds
        limit = limit.advanced(byNanoseconds: late - late % policy.maxWait)
          .advanced(byNanoseconds: policy.maxWait)
      } else {
        close()
        if policy.kind == .throttle && wasUndelivered {
          // From the deadline, not from now: a late timer does not stretch the rhythm (C6).
          self.end = end.advanced(byNanoseconds: policy.interval)
        }
      }
    }
    return Step(asksTurn: askTurn(), alarm: arm())
  }

  /// Takes in that a turn has come; returns whether to deliver on it.
  package mutating func deliveryStarted() -> Bool {
    isAsked = false
    guard isDue && !isRunning else { return false }
    isDue = false
    isRunning = true
    return true
  }

  /// Takes in that the delivery is over; what came meanwhile gets one more turn (C1).
  package mutating func deliveryFinished() -> Step {
    isRunning = false
    return Step(asksTurn: askTurn())
  }

  /// Drops what is pending and closes the window.
  package mutating func cancel() {
    close()
    isUndelivered = false
    isDue = false
  }

  /// Closes the window; returns whether to deliver what was pending right now.
  ///
  /// It returns false with nothing pending, and while a delivery runs: then the pending one follows it.
  package mutating func flush() -> Bool {
    guard isPending else { return false }
    close()
    isUndelivered = false
    guard !isRunning else {
      isDue = true
      return false
    }
    isDue = false
    isRunning = true
    return true
  }

  private mutating func open(at now: EventInstant) -> Step {
    end = now.advanced(byNanoseconds: policy.interval)
    limit = now.advanced(byNanoseconds: policy.maxWait)
    if policy.edges.contains(.leading) {
      isDue = true
    } else {
      markUndelivered()
    }
    return Step(asksTurn: askTurn(), alarm: arm())
  }

  private mutating func close() {
    end = nil
    limit = .distantFuture
    isArmed = false
  }

  private mutating func slide(from now: EventInstant) {
    // NB: the larger one, since two threads may read the clock in one order and arrive in the other.
    end = end.map { max($0, now.advanced(byNanoseconds: policy.interval)) }
  }

  /// A signal before the start of a delivery that is due already is part of that (C2, C5).
  private mutating func markUndelivered() {
    if !isDue {
      isUndelivered = true
    }
  }

  private mutating func askTurn() -> Bool {
    // One turn at a time, however often it is cancelled and wanted again meanwhile (C3).
    guard isDue && !isAsked && !isRunning else { return false }
    isAsked = true
    return true
  }

  /// The alarm for the open window, if one is needed and none is armed (C4).
  private mutating func arm() -> Alarm? {
    guard let end, !isArmed, policy.edges.contains(.trailing) else { return nil }
    isArmed = true
    ticket += 1
    return Alarm(deadline: min(end, limit), ticket: ticket)
  }
}
