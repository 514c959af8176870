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
    package var ticket: UInt32

    package init(deadline: EventInstant, ticket: UInt32) {
      self.deadline = deadline
      self.ticket = ticket
    }
  }

  /// Where a delivery stands, in one byte: there is a gate in every event.
  private struct Flags: OptionSet {
    /// A window is open, until `end`.
    static let open: Flags = Flags(rawValue: 1)
    /// A signal waits for the end of the window.
    static let undelivered: Flags = Flags(rawValue: 2)
    /// A delivery is to start on the next turn.
    static let due: Flags = Flags(rawValue: 4)
    /// A turn has been asked for that has not come yet; it may find nothing to do.
    static let asked: Flags = Flags(rawValue: 8)
    /// A delivery has started and not finished.
    static let running: Flags = Flags(rawValue: 16)
    /// The alarm with the latest ticket has not gone off yet.
    static let armed: Flags = Flags(rawValue: 32)

    var rawValue: UInt8
  }

  // NB: in this order the small ones fill the gaps.
  private let policy: CoalescingPolicy
  private var flags: Flags = []
  private var ticket: UInt32 = 0
  /// The end of the window, while one is open.
  private var end: EventInstant = .distantFuture
  /// The instant by which the burst must have been delivered (`maxWait`).
  private var limit: EventInstant = .distantFuture

  package init(policy: CoalescingPolicy) {
    self.policy = policy
  }

  /// Whether a delivery will come without a further signal.
  package var isPending: Bool { !flags.isDisjoint(with: [.due, .undelivered]) }

  /// Whether a signal that finds a delivery pending adds nothing to it, whenever it came.
  var joinsBlindly: Bool {
    policy.kind == .nextTurn || policy.kind != .debounce && policy.edges.contains(.trailing)
  }

  /// Whether the alarm with this ticket is still waited for.
  package func awaits(_ ticket: UInt32) -> Bool { flags.contains(.armed) && ticket == self.ticket }

  /// Takes in a signal.
  ///
  /// - Parameter now: When it came, or nil if nobody has looked yet.
  /// - Returns: What to do; nil if that depends on the time, and no time was given.
  package mutating func signal(at now: EventInstant?) -> Step? {
    guard !policy.edges.isEmpty else { return Step() }
    if policy.kind == .nextTurn {
      flags.insert(.due)
      return Step(asksTurn: askTurn())
    }
    if flags.contains(.open) && policy.edges.contains(.trailing) {
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
    if flags.contains(.open) && now <= min(end, limit) {
      // Nothing will be delivered at the end, so no timer is armed: the window closes by being looked at.
      if policy.kind == .debounce {
        slide(from: now)
      }
      return Step()
    }
    return open(at: now)
  }

  /// Takes in that an alarm went off; too early and void ones are harmless.
  package mutating func deadlineReached(at now: EventInstant, ticket: UInt32) -> Step {
    guard awaits(ticket) else { return Step() }
    flags.remove(.armed)
    while flags.contains(.open) && now >= min(end, limit) {
      let wasUndelivered = flags.remove(.undelivered) != nil
      if wasUndelivered {
        flags.insert(.due)
      }
      if limit < end {
        // The burst goes on. Instants that a late timer missed count once.
        let late = now.nanoseconds - limit.nanoseconds
        limit = limit.advanced(byNanoseconds: late - late % policy.maxWait)
          .advanced(byNanoseconds: policy.maxWait)
      } else if policy.kind == .throttle && wasUndelivered {
        // From the deadline, not from now: a late timer does not stretch the rhythm (C6).
        end = end.advanced(byNanoseconds: policy.interval)
      } else {
        close()
      }
    }
    return Step(asksTurn: askTurn(), alarm: arm())
  }

  /// Takes in that a turn has come; returns whether to deliver on it.
  package mutating func deliveryStarted() -> Bool {
    flags.remove(.asked)
    guard flags.contains(.due) && !flags.contains(.running) else { return false }
    flags.remove(.due)
    flags.insert(.running)
    return true
  }

  /// Takes in that the delivery is over; what came meanwhile gets one more turn (C1).
  package mutating func deliveryFinished() -> Step {
    flags.remove(.running)
    return Step(asksTurn: askTurn())
  }

  /// Drops what is pending and closes the window.
  package mutating func cancel() {
    close()
    flags.subtract([.due, .undelivered])
  }

  /// Closes the window; returns whether to deliver what was pending right now.
  ///
  /// It returns false with nothing pending, and while a delivery runs: then the pending one follows it.
  package mutating func flush() -> Bool {
    guard isPending else { return false }
    close()
    flags.remove(.undelivered)
    if flags.contains(.running) {
      flags.insert(.due)
      return false
    }
    flags.remove(.due)
    flags.insert(.running)
    return true
  }

  private mutating func open(at now: EventInstant) -> Step {
    flags.insert(.open)
    end = now.advanced(byNanoseconds: policy.interval)
    limit = now.advanced(byNanoseconds: policy.maxWait)
    if policy.edges.contains(.leading) {
      flags.insert(.due)
    } else {
      markUndelivered()
    }
    return Step(asksTurn: askTurn(), alarm: arm())
  }

  private mutating func close() {
    flags.subtract([.open, .armed])
  }

  private mutating func slide(from now: EventInstant) {
    // NB: the larger one, since two threads may read the clock in one order and arrive in the other.
    end = max(end, now.advanced(byNanoseconds: policy.interval))
  }

  /// A signal before the start of a delivery that is due already is part of that (C2, C5).
  private mutating func markUndelivered() {
    if !flags.contains(.due) {
      flags.insert(.undelivered)
    }
  }

  private mutating func askTurn() -> Bool {
    // One turn at a time, however often it is cancelled and wanted again meanwhile (C3).
    guard flags.isSuperset(of: .due) && flags.isDisjoint(with: [.asked, .running]) else { return false }
    flags.insert(.asked)
    return true
  }

  /// The alarm for the open window, if one is needed and none is armed (C4).
  private mutating func arm() -> Alarm? {
    guard flags.contains(.open) && !flags.contains(.armed) && policy.edges.contains(.trailing) else {
      return nil
    }
    let deadline = min(end, limit)
    // What never ends needs no waking (C8).
    guard deadline < .distantFuture else { return nil }
    flags.insert(.armed)
    ticket &+= 1
    return Alarm(deadline: deadline, ticket: ticket)
  }
}
