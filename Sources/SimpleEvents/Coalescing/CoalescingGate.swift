/// The state machine of every policy. It decides when signals become deliveries.
///
/// It has no clock, no lock and no closure. A method takes an occurrence, such as a signal, with its instant,
/// and returns the step that the caller performs. The division into decision and effect follows the state
/// machines of Swift Async Algorithms; the vocabulary is that of lodash's `debounce`.
///
/// A delivery passes through these states. A signal makes it *due*, and a turn is *asked* for. On that turn
/// the delivery *starts*. If the end of a window makes a delivery due instead, the delivery starts on the
/// turn of the timer (C10). In both cases, the delivery then *finishes*. Signals before the start are part of
/// the delivery, and later signals cause the next one.
///
/// The delivery of a loop is a run. A run starts in a task, and not on a turn. A delivery that becomes due
/// during a run cancels that run, makes another run follow, or is dropped. The methods for runs are in an
/// extension.
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
  /// The ticket of the latest alarm.
  var ticket: UInt16 = 0

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

  /// Whether all signals are ignored.
  package var isClosed: Bool { policy.edges.isEmpty }

  /// Whether a delivery is in progress.
  package var isRunning: Bool { flags.contains(.running) }

  /// Whether a signal can join a pending delivery without a reading of the clock.
  var joinsWithoutClock: Bool {
    guard !isClosed else { return false }
    return isNextTurn || !policy.traits.contains(.slides) && policy.edges.contains(.trailing)
  }

  /// Whether a signal joins the pending delivery and changes nothing. The property is used only if signals
  /// join blindly.
  @inlinable var coversSignals: Bool { isDeliveryPending && (isNextTurn || flags.contains(.open)) }

  @inlinable var isNextTurn: Bool { policy.interval == 0 }

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

  /// Accepts a turn or an alarm, or the loss of a turn or an alarm. A void alarm has no effect.
  ///
  /// - Parameters:
  ///   - cause: The reason for the wake-up.
  ///   - now: The instant of an alarm.
  ///   - isHere: Whether the caller can deliver. Otherwise a delivery that is due starts on the next turn.
  package mutating func wake(_ cause: WakeCause, at now: EventInstant, isHere: Bool = true) -> Step {
    var step = Step()
    switch cause {
    case .turn: step = turnReached()
    case .alarm(let ticket): step = deadlineReached(at: now, ticket: ticket, isHere: isHere)
    case .lostTurn: step.loses = lose(alarm: nil)
    case .lostAlarm(let ticket): step.loses = lose(alarm: ticket)
    }
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

  /// Starts the delivery that is due, unless one is in progress.
  mutating func start() -> Step {
    guard flags.contains(.due) else { return Step() }
    guard !policy.traits.contains(.makesRuns) else { return passOn() }
    guard !isRunning else { return Step() }
    flags.remove(.due)
    flags.insert(.running)
    return Step(delivers: true)
  }

  mutating func closeWindow() { flags.subtract(.windowFlags) }

  /// Drops the delivery that is due or undelivered, and closes the window.
  mutating func dropDelivery() {
    closeWindow()
    flags.subtract(.dueOrUndelivered)
  }

  /// Marks that a signal is delivered at the end of the window.
  ///
  /// If a delivery is due, nothing is marked: a signal before the start of a delivery is part of that
  /// delivery (C2, C5).
  mutating func markUndelivered() {
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
}

extension CoalescingGate {
  /// The actions that the caller of a method performs.
  @usableFromInline package struct Step: Equatable, Sendable {
    /// Whether the signal is part of a delivery to come. False if the policy ignores the signal.
    package var isAccepted: Bool = true
    /// Whether the caller delivers now, because the delivery has started. For a loop, the delivery is then
    /// part of the run that begins or of the run that follows, or is dropped by the trait `ignores`.
    package var delivers: Bool = false
    /// Whether the pending delivery is dropped, because the scheduler has lost it (S7).
    package var loses: Bool = false
    /// Whether the caller wakes the gate on the scheduler's next turn.
    package var requestsTurn: Bool = false
    /// Whether the caller lets a task call `begin()`.
    package var startsRun: Bool = false
    /// Whether the caller cancels the run in progress.
    package var cancelsRun: Bool = false
    /// The alarm that the caller arms; nil if it arms none.
    package var alarm: Alarm?

    /// The step after a signal that is ignored.
    package static let ignored: Step = Step(isAccepted: false)

    /// Whether the step requests no turn, no alarm and no task. In a storm, most steps are empty.
    var isEmpty: Bool { !requestsTurn && !startsRun && alarm == nil }

    package init() {}

    init(isAccepted: Bool = true, delivers: Bool = false) {
      self.isAccepted = isAccepted
      self.delivers = delivers
    }
  }
}

extension CoalescingGate {
  /// Checks the combinations of the flags.
  ///
  /// - Complexity: O(1).
  func checkInvariants() {
    invariant(
      !flags.contains(.due) || flags.contains(.asked) || flags.contains(.starting)
        || flags.contains(.running) && !policy.traits.contains(.makesRuns),
      "C2: a delivery that is due has a turn or a task, or follows the delivery in progress")
    invariant(
      policy.traits.contains(.makesRuns) || !flags.contains(.starting) && !flags.contains(.next),
      "C1: only a loop has tasks and retries")
    invariant(
      !flags.contains(.starting) || !flags.contains(.running),
      "L1: no task is asked for while a run is in progress")
    invariant(
      !flags.contains(.undelivered) || flags.contains(.open) && policy.edges.contains(.trailing),
      "C2: an undelivered signal is delivered at the end of a window")
    invariant(
      !flags.contains(.due) || !flags.contains(.undelivered), "C2: a signal is part of one delivery")
    invariant(
      !flags.contains(.armed) || flags.contains(.open) && policy.edges.contains(.trailing),
      "C4: a timer is armed for the end of a window that delivers")
    invariant(
      !flags.contains(.open) || !policy.edges.contains(.trailing) || flags.contains(.armed)
        || min(end, limit) == .distantFuture,
      "C2: a window that delivers at its end has a timer")
    invariant(
      policy.interval > 0 || flags.isDisjoint(with: Flags(rawValue: 35)),
      "C8: a policy without an interval opens no window")
  }
}
