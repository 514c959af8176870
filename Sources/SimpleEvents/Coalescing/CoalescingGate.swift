/// The state machine behind every policy, which decides when signals become deliveries.
///
/// It has no clock, no lock and no closure. Its methods take an occurrence and its instant, and return the
/// step that the caller performs. The division into decision and effect follows the state machines of Swift
/// Async Algorithms; the vocabulary is that of lodash's `debounce`.
///
/// A delivery passes through these states. A signal makes it *due*, and a turn is *asked* for, on which it
/// *starts*. Or the end of a window makes it due, and it starts on the turn of the timer (C10). Then it
/// *finishes*. Signals before the start are part of it; later signals cause the next delivery.
@usableFromInline package struct CoalescingGate {
  /// The actions that the caller performs.
  package struct Step: Equatable {
    /// Whether the signal is part of a delivery to come. False if the policy ignores it.
    package var isAccepted: Bool = true
    /// Deliver now: the delivery has started.
    package var delivers: Bool = false
    /// Call `deliveryStarted()` on the scheduler's next turn.
    package var requestsTurn: Bool = false
    /// Call `deadlineReached(at:)` at an instant.
    package var alarm: Alarm?

    /// The step after a signal that is ignored.
    package static let ignored: Step = Step(isAccepted: false)

    /// Whether the step requests neither a turn nor an alarm, as for most signals of a storm.
    var isEmpty: Bool { !requestsTurn && alarm == nil }

    package init(
      isAccepted: Bool = true, delivers: Bool = false, requestsTurn: Bool = false, alarm: Alarm? = nil
    ) {
      self.isAccepted = isAccepted
      self.delivers = delivers
      self.requestsTurn = requestsTurn
      self.alarm = alarm
    }
  }

  /// A timer to arm. The ticket distinguishes it from timers that were armed before and are void.
  ///
  /// Tickets repeat after 65,536 alarms. A void timer is cancelled when the next one is armed, so at most a
  /// few of them can still go off, all with recent tickets.
  package struct Alarm: Equatable {
    package var deadline: EventInstant
    package var ticket: UInt16

    package init(deadline: EventInstant, ticket: UInt16) {
      self.deadline = deadline
      self.ticket = ticket
    }
  }

  /// The state of the window and the delivery, in one byte, because every event has a gate.
  @frozen @usableFromInline struct Flags: OptionSet {
    /// A window is open, until `end`.
    @inlinable static var open: Flags { Flags(rawValue: 1) }
    /// A signal is delivered at the end of the window.
    @inlinable static var undelivered: Flags { Flags(rawValue: 2) }
    /// A delivery starts on the next turn.
    @inlinable static var due: Flags { Flags(rawValue: 4) }
    /// A requested turn has not come yet. A delivery may no longer be due when it comes.
    static var asked: Flags { Flags(rawValue: 8) }
    /// A delivery has started and not finished.
    static var running: Flags { Flags(rawValue: 16) }
    /// The alarm with the latest ticket has not gone off yet.
    static var armed: Flags { Flags(rawValue: 32) }

    @usableFromInline var rawValue: UInt8

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  // In this order the small properties lie in the padding at the end.
  /// The end of the open window; for a paced policy without an open window, the end of the previous one.
  private(set) var end: EventInstant = .distantFuture
  /// The instant by which the burst must be delivered (`maxWait`).
  private(set) var limit: EventInstant = .distantFuture
  @usableFromInline let policy: CoalescingPolicy
  @usableFromInline var flags: Flags = []
  private var ticket: UInt16 = 0

  /// - Parameters:
  ///   - policy: The rule.
  ///   - start: The instant from which the windows of a paced policy are counted.
  package init(policy: CoalescingPolicy, start: EventInstant = .distantFuture) {
    self.policy = policy
    if policy.traits.contains(.isPaced) { end = start }
  }

  /// Whether a delivery will come without a further signal.
  @inlinable package var isPending: Bool { flags.contains(.due) || flags.contains(.undelivered) }

  /// The end of the window; nil while none is open. A window without the trailing edge may stay open after
  /// its end.
  var windowEnd: EventInstant? {
    guard flags.contains(.open) else { return nil }
    return policy.edges.contains(.trailing) ? end : min(end, limit)
  }

  /// Whether all signals are ignored.
  var isClosed: Bool { policy.edges.isEmpty }

  /// Whether a delivery is in progress.
  package var isRunning: Bool { flags.contains(.running) }

  /// Whether a signal can join a pending delivery without a reading of the clock.
  var joinsWithoutClock: Bool {
    guard !isClosed else { return false }
    return isNextTurn || !policy.traits.contains(.slides) && policy.edges.contains(.trailing)
  }

  /// Whether a signal joins the pending delivery and changes nothing, where signals join blindly.
  @inlinable var coversSignals: Bool { isPending && (isNextTurn || flags.contains(.open)) }

  @inlinable var isNextTurn: Bool { policy.interval == 0 }

  /// Whether the alarm with this ticket is the one that is armed.
  package func isCurrentAlarm(_ ticket: UInt16) -> Bool { flags.contains(.armed) && ticket == self.ticket }

  /// Accepts a signal.
  ///
  /// - Parameter now: The instant of the signal; nil if the clock was not read.
  /// - Returns: The step; nil if it depends on the instant, and none was given.
  package mutating func signal(at now: EventInstant?) -> Step? {
    defer { checkInvariants() }
    guard !isClosed else { return .ignored }
    if isNextTurn {
      flags.insert(.due)
      return Step(requestsTurn: requestTurn())
    }
    if flags.contains(.open) && policy.edges.contains(.trailing) {
      // The window is open until its timer goes off, however late that is. A signal after the end is
      // delivered with the late timer and does not move it (C6).
      if policy.traits.contains(.slides) {
        guard let now else { return nil }
        if now <= end { slide(from: now) }
      }
      markUndelivered()
      return Step()
    }
    guard let now else { return nil }
    if flags.contains(.open) && now <= min(end, limit) {
      // Nothing is delivered at the end, so no timer is armed: the next signal checks whether the window
      // is over.
      if policy.traits.contains(.slides) { slide(from: now) }
      // A signal before the start of the leading delivery is part of it (C5).
      return Step(isAccepted: flags.contains(.due))
    }
    return open(at: now)
  }

  /// Accepts an alarm. An alarm that is too early or void has no effect.
  ///
  /// - Parameter isHere: Whether the caller can deliver. Otherwise a delivery that is due starts on the next
  ///   turn.
  package mutating func deadlineReached(at now: EventInstant, ticket: UInt16, isHere: Bool = true) -> Step {
    defer { checkInvariants() }
    guard isCurrentAlarm(ticket) else { return Step() }
    flags.remove(.armed)
    while flags.contains(.open) && now >= min(end, limit) {
      let wasUndelivered = flags.remove(.undelivered) != nil
      if wasUndelivered { flags.insert(.due) }
      if limit < end {
        // The burst continues. If a late timer has missed several limits, they give one delivery.
        let late = limit.nanoseconds(to: now)
        limit = limit.advanced(byNanoseconds: late - late % policy.maxWait)
          .advanced(byNanoseconds: policy.maxWait)
      } else if policy.traits.contains(.reopens) && wasUndelivered {
        // Measured from the deadline, so that a late timer does not delay later windows (C6).
        end = end.advanced(byNanoseconds: policy.interval)
      } else {
        close()
      }
    }
    return Step(delivers: isHere && start(), requestsTurn: requestTurn(), alarm: arm())
  }

  /// Accepts a turn; returns whether a delivery starts on it.
  package mutating func deliveryStarted() -> Bool {
    defer { checkInvariants() }
    flags.remove(.asked)
    return start()
  }

  /// Ends the delivery. Signals that came during it get one more turn (C1).
  package mutating func deliveryFinished() -> Step {
    defer { checkInvariants() }
    flags.remove(.running)
    return Step(requestsTurn: requestTurn())
  }

  /// Records that a turn or an alarm is lost, and drops the pending delivery.
  ///
  /// - Parameter ticket: The ticket of the alarm; nil for a turn.
  /// - Returns: False if the alarm is void.
  package mutating func lose(alarm ticket: UInt16?) -> Bool {
    if let ticket, !isCurrentAlarm(ticket) { return false }
    if ticket == nil { flags.remove(.asked) }
    cancel()
    return true
  }

  /// Drops the pending delivery and closes the window.
  package mutating func cancel() {
    defer { checkInvariants() }
    close()
    flags.subtract([.due, .undelivered])
  }

  /// Closes the window and makes a last delivery due.
  ///
  /// - Parameter isHere: Whether the caller can deliver.
  /// - Returns: The step. A delivery in progress is followed by this one.
  package mutating func conclude(isHere: Bool) -> Step {
    defer { checkInvariants() }
    close()
    flags.remove(.undelivered)
    flags.insert(.due)
    return Step(delivers: isHere && start(), requestsTurn: requestTurn())
  }

  private mutating func start() -> Bool {
    guard flags.contains(.due) && !flags.contains(.running) else { return false }
    flags.remove(.due)
    flags.insert(.running)
    return true
  }

  private mutating func open(at now: EventInstant) -> Step {
    flags.insert(.open)
    end = windowEnd(from: now)
    limit = now.advanced(byNanoseconds: policy.maxWait)
    if policy.edges.contains(.leading) {
      flags.insert(.due)
    } else {
      markUndelivered()
    }
    return Step(requestsTurn: requestTurn(), alarm: arm())
  }

  /// The end of a window that opens.
  private func windowEnd(from now: EventInstant) -> EventInstant {
    guard policy.traits.contains(.isPaced) else { return now.advanced(byNanoseconds: policy.interval) }
    // The present counts as the end if it is a multiple, unless the window before has ended now.
    let elapsed = max(1, end.nanoseconds(to: now))
    let count = (elapsed - 1) / policy.interval + 1
    let (span, overflow) = count.multipliedReportingOverflow(by: policy.interval)
    return end.advanced(byNanoseconds: overflow ? .max : span)
  }

  private mutating func close() { flags.subtract([.open, .armed]) }

  private mutating func slide(from now: EventInstant) {
    // The larger one, because two threads may read the clock in one order and arrive here in the other.
    end = max(end, now.advanced(byNanoseconds: policy.interval))
  }

  /// Marks the window, unless a delivery is due: a signal before the start of a delivery is part of it (C2,
  /// C5).
  private mutating func markUndelivered() {
    if !flags.contains(.due) { flags.insert(.undelivered) }
  }

  private mutating func requestTurn() -> Bool {
    // One turn at a time, however often the delivery is cancelled and requested again (C3).
    guard flags.contains(.due) && !flags.contains(.asked) && !flags.contains(.running) else { return false }
    flags.insert(.asked)
    return true
  }

  /// The alarm for the open window, if one is needed and none is armed (C4).
  private mutating func arm() -> Alarm? {
    guard flags.contains(.open) && !flags.contains(.armed) && policy.edges.contains(.trailing) else {
      return nil
    }
    let deadline = min(end, limit)
    // A window that never ends needs no timer (C8).
    guard deadline < .distantFuture else { return nil }
    flags.insert(.armed)
    ticket &+= 1
    return Alarm(deadline: deadline, ticket: ticket)
  }
}
