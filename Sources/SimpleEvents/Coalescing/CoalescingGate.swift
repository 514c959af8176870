/// The state machine of every policy. It decides when signals become deliveries.
///
/// It has no clock, no lock and no closure. A method takes an occurrence, such as a signal, with its instant,
/// and returns the step that the caller performs. The division into decision and effect follows the state
/// machines of Swift Async Algorithms; the vocabulary is that of lodash's `debounce`.
///
/// A delivery passes through these states. A signal makes it *due*, and a turn is *asked* for. On that turn
/// the delivery *starts*. If the end of a window makes a delivery due instead, the delivery starts on the
/// turn of the timer (C10). Then it *finishes*. Signals before the start are part of the delivery, and later
/// signals cause the next one.
///
/// The delivery of a loop is a run. A task starts it, instead of a turn. A delivery that becomes due during a
/// run cancels that run, makes another run follow, or is dropped. The methods for runs are in an extension.
@usableFromInline package struct CoalescingGate {
  /// The state of the window and the delivery, in one byte, because every event has a gate.
  @frozen @usableFromInline struct Flags: OptionSet {
    /// A window is open, until `end`.
    @inlinable static var open: Flags { Flags(rawValue: 1) }
    /// A signal is delivered at the end of the window.
    @inlinable static var undelivered: Flags { Flags(rawValue: 2) }
    /// A delivery starts on the next turn.
    @inlinable static var due: Flags { Flags(rawValue: 4) }
    /// A requested turn has not come yet. When it comes, the delivery may no longer be due.
    @inlinable static var asked: Flags { Flags(rawValue: 8) }
    /// A delivery has started and not finished.
    static var running: Flags { Flags(rawValue: 16) }
    /// The alarm with the latest ticket has not fired yet.
    static var armed: Flags { Flags(rawValue: 32) }
    /// A requested task has not come yet. When it comes, the run may no longer be due.
    @inlinable static var starting: Flags { Flags(rawValue: 64) }
    /// A run follows the run in progress. If no run is in progress and no task is requested, the loop waits
    /// for a retry.
    static var next: Flags { Flags(rawValue: 128) }
    // NB: these are raw values, because a literal of several members allocates an array in debug builds.
    @inlinable static var dueOrUndelivered: Flags { Flags(rawValue: 6) }
    @inlinable static var pending: Flags { Flags(rawValue: 134) }
    static var windowFlags: Flags { Flags(rawValue: 33) }

    @usableFromInline var rawValue: UInt8
    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }
    // NB: in a debug build, the generic function of `OptionSet` takes many times as long.
    @inlinable func contains(_ flags: Flags) -> Bool { rawValue & flags.rawValue == flags.rawValue }
  }

  // The properties are in this order so that the small ones lie in the padding at the end.
  /// The end of the open window; for a paced policy without an open window, the end of the previous window.
  var end: EventInstant = .distantFuture
  /// The instant by which the burst must be delivered (`maxWait`).
  var limit: EventInstant = .distantFuture
  @usableFromInline var policy: CoalescingPolicy
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
  package var isPending: Bool { isDeliveryPending || flags.contains(.next) }

  /// Whether a delivery is due, or becomes due at the end of the window. A run that only follows another run
  /// does not count.
  @inlinable package var isDeliveryPending: Bool { !flags.isDisjoint(with: .dueOrUndelivered) }

  /// The end of the window; nil while no window is open. For a window without the trailing edge, the
  /// instant may be in the past.
  var windowEnd: EventInstant? {
    guard flags.contains(.open) else { return nil }
    return policy.edges.contains(.trailing) ? end : min(end, limit)
  }

  /// Whether all signals are ignored.
  package var isClosed: Bool { policy.edges.isEmpty }

  /// Whether a delivery is in progress.
  package var isRunning: Bool { flags.contains(.running) }

  /// Whether a signal can join a pending delivery without a reading of the clock.
  var joinsWithoutClock: Bool {
    guard !isClosed else { return false }
    return isNextTurn || !policy.traits.contains(.slides) && policy.edges.contains(.trailing)
  }

  /// Whether a signal joins the pending delivery and changes nothing, if signals join blindly.
  @inlinable var coversSignals: Bool { isDeliveryPending && (isNextTurn || flags.contains(.open)) }

  @inlinable var isNextTurn: Bool { policy.interval == 0 }

  /// Whether an armed alarm has not fired yet.
  var isArmed: Bool { flags.contains(.armed) }

  /// Whether the armed alarm has this ticket.
  package func isCurrentAlarm(_ ticket: UInt16) -> Bool { isArmed && ticket == self.ticket }

  /// Accepts a signal.
  ///
  /// - Parameter now: The instant of the signal; nil if the clock was not read.
  /// - Returns: The step; nil if the step depends on the instant, and no instant was given.
  package mutating func signal(at now: EventInstant?) -> Step? {
    defer { checkInvariants() }
    guard !isClosed else { return .ignored }
    if isNextTurn {
      flags.insert(.due)
      return ask()
    }
    if flags.contains(.open) && policy.edges.contains(.trailing) {
      // The window is open until its timer fires, however late that is. A signal after the end is delivered
      // when the late timer fires, and does not move the window (C6).
      if policy.traits.contains(.slides) {
        guard let now else { return nil }
        if now <= end { slide(from: now) }
      }
      markUndelivered()
      return Step()
    }
    guard let now else { return nil }
    if flags.contains(.open) && now <= min(end, limit) {
      // Nothing is delivered at the end, so no timer is armed: the next signal checks whether the window is
      // over.
      if policy.traits.contains(.slides) { slide(from: now) }
      // A signal before the start of the leading delivery is part of that delivery (C5).
      return Step(isAccepted: flags.contains(.due))
    }
    return open(at: now)
  }

  /// Accepts an alarm. An early alarm is armed again, and a void alarm has no effect.
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

  /// Accepts a turn, on which a delivery that is due starts.
  package mutating func turnReached() -> Step {
    defer { checkInvariants() }
    flags.remove(.asked)
    return start()
  }

  /// Ends the delivery. For signals that came during the delivery, one more turn is requested (C1).
  package mutating func deliveryFinished() -> Step {
    defer { checkInvariants() }
    flags.remove(.running)
    return ask()
  }

  /// Records that a turn or an alarm is lost, and drops the delivery that depends on it.
  ///
  /// - Parameter ticket: The ticket of the alarm; nil for a turn.
  /// - Returns: False if the alarm is void.
  package mutating func lose(alarm ticket: UInt16?) -> Bool {
    defer { checkInvariants() }
    if let ticket, !isCurrentAlarm(ticket) { return false }
    if ticket == nil { flags.remove(.asked) }
    // A run for which a task was requested does not need the scheduler.
    let isKept = flags.contains(.due) && flags.contains(.starting)
    dropDelivery()
    if isKept { flags.insert(.due) }
    return true
  }

  /// Drops the pending delivery and the next run, and closes the window.
  package mutating func cancel() {
    defer { checkInvariants() }
    dropDelivery()
    flags.remove(.next)
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

  /// Starts the delivery that is due, unless one is in progress.
  private mutating func start() -> Step {
    guard flags.contains(.due) else { return Step() }
    guard !policy.traits.contains(.makesRuns) else { return passOn() }
    guard !isRunning else { return Step() }
    flags.remove(.due)
    flags.insert(.running)
    return Step(delivers: true)
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
    var step = ask()
    step.alarm = arm()
    return step
  }

  /// The end of a window that opens at an instant.
  private func windowEnd(from now: EventInstant) -> EventInstant {
    guard policy.traits.contains(.isPaced) else { return now.advanced(byNanoseconds: policy.interval) }
    // An instant that is a multiple of the interval is the end, unless the previous window ended then.
    let elapsed = max(1, end.nanoseconds(to: now))
    let count = (elapsed - 1) / policy.interval + 1
    let (span, overflow) = count.multipliedReportingOverflow(by: policy.interval)
    return end.advanced(byNanoseconds: overflow ? .max : span)
  }

  mutating func closeWindow() { flags.subtract(.windowFlags) }

  /// Drops the delivery that is due or undelivered, and closes the window.
  mutating func dropDelivery() {
    closeWindow()
    flags.subtract(.dueOrUndelivered)
  }

  private mutating func slide(from now: EventInstant) {
    // The later end is kept: two threads may read the clock in one order and arrive here in the other.
    end = max(end, now.advanced(byNanoseconds: policy.interval))
  }

  /// Marks that a signal is delivered at the end of the window.
  ///
  /// If a delivery is due, nothing is marked: a signal before the start of a delivery is part of that
  /// delivery (C2, C5).
  private mutating func markUndelivered() {
    if !flags.contains(.due) { flags.insert(.undelivered) }
  }

  /// Requests a turn, or the task of a run, if a delivery is due and has neither.
  ///
  /// At most one turn or task is requested, even if the delivery is cancelled and requested again (C3).
  ///
  /// - Parameter step: The step to which the request is added.
  mutating func ask(_ step: Step = Step()) -> Step {
    guard flags.contains(.due) else { return step }
    if policy.traits.contains(.makesRuns) {
      // A signal must not cancel a run, because a cancellation calls code of the program. A turn cancels the
      // run instead (C5).
      if !isBusy { return startRun(step) }
    } else if isRunning {
      return step
    }
    return askTurn(step)
  }

  /// Requests a turn, even if no delivery is due, unless a requested turn is still to come.
  ///
  /// - Parameter step: The step to which the request is added.
  mutating func askTurn(_ step: Step = Step()) -> Step {
    var step = step
    step.requestsTurn = flags.insert(.asked).inserted
    return step
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
