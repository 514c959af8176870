// These methods handle the wake-ups by a scheduler, and the deliveries that the wake-ups start.
extension Coalescer {
  /// Accepts a wake-up.
  ///
  /// - Parameters:
  ///   - cause: The reason for the wake-up.
  ///   - owner: The object that delivers.
  ///   - isHere: Whether the owner can deliver now. Otherwise a delivery that is due starts on the next turn.
  ///   - take: A function that takes the payload of a delivery, or the whole payload if nothing is delivered,
  ///     and returns the elements that are left. It is called under the lock, unless the effect is `none`.
  /// - Returns: The action of the owner: deliver, or discard the payload that it has taken.
  package borrowing func wake(
    _ cause: WakeCause, for owner: some Wakeable, isHere: Bool = true,
    taking take: (_ delivers: Bool) -> CoalescingGate.Rest = { _ in CoalescingGate.Rest() }
  ) -> WakeEffect {
    let now = instant(of: cause)
    var (timer, unsent) = (ArmedTimer?.none, 0)
    let step = state.withLock { state -> CoalescingGate.Step in
      let step = state.gate.wake(cause, at: now, isHere: isHere)
      guard step.delivers || step.loses else { return step }
      uncover()
      let rest = take(step.delivers)
      if step.delivers {
        state.gate.leave(rest)
        state.feedback.noteStart()
        source?.begin(cause.isAlarm ? .deadline : .turn, at: now, leaving: rest.count)
      } else {
        timer = state.takeTimer()
        unsent = source?.takePending() ?? 0
      }
      return step
    }
    timer?.work.cancel()
    if !step.isEmpty { perform(step, for: owner) }
    if unsent > 0 { source?.discard(unsent) }
    return step.delivers ? .delivers : step.loses ? .loses : .none
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
    source?.finish(dropped: dropped)
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
