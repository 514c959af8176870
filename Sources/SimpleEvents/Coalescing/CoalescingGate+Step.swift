extension CoalescingGate {
  /// The actions that the caller performs.
  package struct Step: Equatable {
    /// Whether the signal is part of a delivery to come. False if the policy ignores it.
    package var isAccepted: Bool = true
    /// Deliver now: the delivery has started. For a loop: the delivery is part of the run that begins, or of
    /// the run that follows.
    package var delivers: Bool = false
    /// The pending delivery is dropped, because the scheduler has lost it (S7).
    package var loses: Bool = false
    /// Wake the gate on the scheduler's next turn.
    package var requestsTurn: Bool = false
    /// Let a task call `begin()`.
    package var startsRun: Bool = false
    /// Cancel the run in progress.
    package var cancelsRun: Bool = false
    /// Call `deadlineReached(at:)` at an instant.
    package var alarm: Alarm?

    /// The step after a signal that is ignored.
    package static let ignored: Step = Step(isAccepted: false)

    /// Whether the step requests no turn, no alarm and no task, as for most signals of a storm.
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
    /// Whether they do not wait for the end of a window.
    @usableFromInline package var isDue: Bool
    /// The number of batches of those that were there at a flush.
    @usableFromInline var flushedBatches: Int

    @inlinable package init(count: Int = 0, isDue: Bool = false, flushedBatches: Int = 0) {
      self.count = count
      self.isDue = isDue
      self.flushedBatches = flushedBatches
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

  /// Accepts a turn or an alarm, or the loss of one. A void cause has no effect.
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
