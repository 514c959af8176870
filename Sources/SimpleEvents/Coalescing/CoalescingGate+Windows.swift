// These methods open, move and end a window.
extension CoalescingGate {
  /// A timer to arm. Its ticket distinguishes it from earlier timers, which are void.
  ///
  /// Tickets repeat after 65,536 alarms. A void timer is cancelled when the next one is armed, so at most a
  /// few void timers can still fire, and their tickets are recent.
  @usableFromInline package struct Alarm: Equatable, Sendable {
    package var deadline: EventInstant
    package var ticket: UInt16

    @usableFromInline package init(deadline: EventInstant, ticket: UInt16) {
      self.deadline = deadline
      self.ticket = ticket
    }
  }

  /// The end of the window; nil while no window is open. For a window without the trailing edge, the
  /// instant may be in the past.
  var windowEnd: EventInstant? {
    guard flags.contains(.open) else { return nil }
    return policy.edges.contains(.trailing) ? end : min(end, limit)
  }

  /// Whether a delivery is pending at the end of a window that never ends (C8).
  package var isEndless: Bool { flags.contains(.undelivered) && !isArmed }

  /// Whether an armed alarm has not fired yet.
  var isArmed: Bool { flags.contains(.armed) }

  /// Whether the armed alarm has this ticket.
  package func isCurrentAlarm(_ ticket: UInt16) -> Bool { isArmed && ticket == self.ticket }

  mutating func open(at now: EventInstant) -> Step {
    flags.insert(.open)
    end = windowEnd(from: now)
    limit = now.advanced(byNanoseconds: policy.maxWait)
    if policy.edges.contains(.leading) {
      flags.insert(.due)
    } else {
      markUndelivered()
    }
    var step = ask()
    step.alarm = arm()
    return step
  }

  /// The end of a window that opens at an instant.
  private func windowEnd(from now: EventInstant) -> EventInstant {
    guard policy.traits.contains(.isPaced) else { return now.advanced(byNanoseconds: policy.interval) }
    // Windows end at multiples of the interval. A window that opens exactly at such an instant ends
    // immediately. If the previous window ended at that instant, the new window takes a whole interval.
    let elapsed = max(1, end.nanoseconds(to: now))
    let count = (elapsed - 1) / policy.interval + 1
    let (span, overflow) = count.multipliedReportingOverflow(by: policy.interval)
    return end.advanced(byNanoseconds: overflow ? .max : span)
  }

  /// Accepts a signal whose instant is not known, if a window with the trailing edge is open.
  mutating func joinWindow() {
    if flags.contains(.open) && policy.edges.contains(.trailing) { markUndelivered() }
  }

  mutating func slide(from now: EventInstant) {
    // The later end is kept: two threads may read the clock in one order and arrive here in the other.
    end = max(end, now.advanced(byNanoseconds: policy.interval))
  }

  /// Accepts an alarm. An early alarm is armed again, and a void alarm has no effect.
  ///
  /// - Parameters:
  ///   - now: The current instant.
  ///   - ticket: The ticket of the alarm.
  ///   - isHere: Whether the caller can deliver. Otherwise a delivery that is due starts on the next turn.
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
        // The next window starts at the deadline, so that a late timer does not delay later windows (C6).
        end = end.advanced(byNanoseconds: policy.interval)
      } else {
        closeWindow()
      }
    }
    var step = ask(isHere ? start() : Step())
    step.alarm = arm()
    return step
  }

  /// Closes the window and makes a last delivery due.
  ///
  /// - Parameter isHere: Whether the caller can deliver.
  /// - Returns: The step. If a delivery is in progress, the last delivery follows it.
  package mutating func conclude(isHere: Bool) -> Step {
    defer { checkInvariants() }
    closeWindow()
    flags.remove(.undelivered)
    flags.insert(.due)
    return ask(isHere ? start() : Step())
  }

  /// The alarm for the open window; nil if no alarm is needed, or if one is armed (C4).
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
