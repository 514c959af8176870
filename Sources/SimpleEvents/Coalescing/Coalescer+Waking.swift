internal import Synchronization

// These methods handle the wake-ups by a scheduler, and the deliveries that the wake-ups start.
extension Coalescer {
  /// Accepts a wake-up.
  ///
  /// - Parameters:
  ///   - cause: The reason for the wake-up.
  ///   - owner: The object that delivers.
  ///   - isHere: Whether the owner can deliver now. Otherwise a delivery that is due starts on the next turn.
  ///   - take: A function that takes the payload of a delivery, or the whole payload if the delivery is lost,
  ///     and returns the rest, which stays queued. It is called under the lock, and only if the effect is not
  ///     `none`.
  /// - Returns: The action of the owner: deliver, or discard the payload that it has taken.
  package borrowing func wake(
    _ cause: WakeCause, for owner: some Wakeable, isHere: Bool = true,
    taking take: (_ delivers: Bool) -> CoalescingGate.Rest = { _ in CoalescingGate.Rest() }
  ) -> WakeEffect {
    let now = instant(of: cause)
    let step = step(cause.isAlarm ? .deadline : .turn, at: now, taking: take) {
      wake(&$0, cause, at: now, isHere: isHere)
    }
    if !step.isEmpty { perform(step, for: owner) }
    return step.delivers ? .delivers : step.loses ? .loses : .none
  }

  /// Passes a wake-up to the gate. Called under the lock.
  package borrowing func wake(
    _ gate: inout CoalescingGate, _ cause: WakeCause, at now: EventInstant, isHere: Bool = true
  ) -> CoalescingGate.Step {
    // A signal on its way is part of the window: the calls of other signals may have relied on it and
    // returned (C6). The thread of the alarm has not synchronised with those calls, so a load could miss the
    // flag that they found set. A read-modify-write finds the latest value. The operation is relaxed, because
    // the start of the delivery clears the flag by an exchange that acquires.
    if cause.isAlarm && joinsBlindly && isCovered.logicalOr(false, ordering: .relaxed).oldValue {
      gate.joinWindow()
    }
    return gate.wake(cause, at: now, isHere: isHere)
  }

  /// Changes the gate. If a delivery starts or is dropped, takes the payload in the same step.
  ///
  /// The caller performs the actions of the gate.
  ///
  /// - Parameters:
  ///   - cause: The reason for the delivery, for a monitor.
  ///   - now: The current instant, for a monitor.
  ///   - drops: Whether the change drops the pending delivery, even if the scheduler has not lost it.
  ///   - take: A function that takes the payload, and returns the rest, which stays queued. It is called
  ///     under the lock.
  ///   - change: The function that makes the change. It is called under the lock.
  @inline(__always) borrowing func step(
    _ cause: CoalescingDelivery.Cause = .turn, at now: EventInstant? = nil, drops: Bool = false,
    taking take: (_ delivers: Bool) -> CoalescingGate.Rest,
    _ change: (inout CoalescingGate) -> CoalescingGate.Step
  ) -> CoalescingGate.Step {
    var unsent = 0
    let (step, timer) = state.withLock { state -> (CoalescingGate.Step, ArmedTimer?) in
      let step = change(&state.gate)
      guard step.delivers || step.loses || drops else { return (step, state.takeVoidTimer()) }
      uncover()
      let rest = take(step.delivers)
      if step.delivers {
        state.gate.leave(rest)
        state.feedback.noteStart()
        source?.begin(cause, at: now, leaving: rest.count)
      } else {
        unsent = source?.takePending() ?? 0
      }
      return (step, state.takeVoidTimer())
    }
    timer?.work.cancel()
    if unsent > 0 { source?.discard(unsent) }
    return step
  }

  /// The instant of a wake-up. It is read before the lock is taken: the clock may be a client's code, which
  /// is not called under a lock.
  package borrowing func instant(of cause: WakeCause) -> EventInstant {
    cause.isAlarm || isWatched ? turns.now : .distantFuture
  }

  /// Ends the owner's delivery.
  ///
  /// - Parameters:
  ///   - owner: The object that delivers.
  ///   - subject: The subject of diagnostics: the owner.
  ///   - dropped: The number of elements that a limit has dropped.
  package borrowing func finish(
    for owner: some Wakeable, _ subject: @autoclosure () -> DiagnosticSubject, dropped: Int = 0
  ) {
    source?.endDelivery(dropped: dropped)
    let (step, isFed) = state.withLock { ($0.gate.deliveryFinished(), $0.feedback.noteEnd()) }
    if isFed { flagFeedback(subject()) }
    perform(step, for: owner)
  }

  /// Flags an owner whose deliveries are caused only by its own deliveries (C11).
  func flagFeedback(_ subject: DiagnosticSubject) { subject.misuse.flag(.feedback(subject)) }
}

/// The action of the owner of a coalescer after a wake-up.
package enum WakeEffect {
  case none
  /// The owner delivers, and finishes the delivery.
  case delivers
  /// The owner ends all waits for a delivery: the scheduler can no longer run work, and the pending delivery
  /// is dropped (S7).
  case loses
}
