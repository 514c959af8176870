extension CoalescingGate {
  /// The actions that the caller of a method performs.
  @usableFromInline package struct Step: Equatable, Sendable {
    /// Whether the signal is part of a delivery to come. False if the policy ignores the signal.
    package var isAccepted: Bool = true
    /// Whether the caller delivers now, because the delivery has started. For a loop, the delivery is then
    /// part of the run that begins, or of the run that follows.
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

  /// The elements that a delivery leaves queued, because its batch is full (C12).
  @frozen @usableFromInline package struct Rest {
    @usableFromInline package var count: Int
    /// Whether the elements are due even if a window is open.
    @usableFromInline package var isDue: Bool
    /// The number of batches with elements that were queued at a flush.
    @usableFromInline var flushedBatches: Int

    @inlinable package init(count: Int = 0, isDue: Bool = false, flushedBatches: Int = 0) {
      self.count = count
      self.isDue = isDue
      self.flushedBatches = flushedBatches
    }
  }

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

  /// Accepts a turn or an alarm, or the loss of a turn or an alarm. A void alarm has no effect.
  ///
  /// - Parameters:
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
}

extension CoalescingGate {
  /// Checks the combinations of the flags.
  ///
  /// The flags are in one byte, because every event has a gate.
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
      "C2: what is undelivered is delivered at the end of a window")
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
