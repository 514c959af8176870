// The wake-ups by a scheduler, and the deliveries that follow from them.
extension Coalescer {
  /// A wake-up that was accepted.
  struct Wake {
    var effect: WakeEffect = .none
    var step: CoalescingGate.Step = CoalescingGate.Step()
    /// A timer to cancel.
    var timer: ArmedTimer?
    /// The number of signals that are lost, for the monitor.
    var unsent: Int = 0
  }

  /// Accepts a wake-up.
  ///
  /// - Parameters:
  ///   - cause: The reason of the wake-up.
  ///   - owner: The object that delivers.
  ///   - isHere: Whether the owner can deliver now. Otherwise a delivery that is due starts on the next turn.
  ///   - take: Takes the payload. Called under the lock, unless the effect is `none`.
  /// - Returns: The action of the owner: deliver, or discard the payload that it has taken.
  package borrowing func wake(
    _ cause: WakeCause, for owner: some Wakeable, isHere: Bool = true, taking take: () -> Void = {}
  ) -> WakeEffect {
    let wake = accept(cause, at: instant(of: cause), isHere: isHere, begins: true, taking: take)
    perform(wake, for: owner)
    return wake.effect
  }

  /// The instant of a wake-up. It is read before the owner's lock is taken, because a scheduler may be a
  /// client's.
  borrowing func instant(of cause: WakeCause) -> EventInstant {
    cause.isAlarm || isWatched ? turns.now : .distantFuture
  }

  /// Accepts a wake-up for an owner that holds a lock of its own. The caller passes the result to
  /// ``perform(_:for:)`` after it.
  ///
  /// - Parameter begins: Whether the owner delivers now. Otherwise a run follows, and a monitor receives that
  ///   one.
  borrowing func accept(
    _ cause: WakeCause, at now: EventInstant, isHere: Bool = true, begins: Bool = false,
    taking take: () -> Void = {}
  ) -> Wake {
    state.withLock { state in
      var wake = Wake()
      switch cause {
      case .turn:
        if state.gate.deliveryStarted() { wake.effect = .delivers }
      case .alarm(let ticket):
        wake.step = state.gate.deadlineReached(at: now, ticket: ticket, isHere: isHere)
        if wake.step.delivers { wake.effect = .delivers }
      case .lostTurn:
        if state.gate.lose(alarm: nil) { wake = Wake(effect: .loses, timer: state.takeTimer()) }
      case .lostAlarm(let ticket):
        if state.gate.lose(alarm: ticket) { wake = Wake(effect: .loses, timer: state.takeTimer()) }
      }
      guard wake.effect != .none else { return wake }
      uncover()
      take()
      if wake.effect == .delivers {
        state.noteStart()
        source?.handOver(cause.isAlarm ? .deadline : .turn, beginningAt: begins ? now : nil)
      } else {
        wake.unsent = source?.takePending() ?? 0
      }
      return wake
    }
  }

  /// Performs the effects of a wake-up, under no lock.
  borrowing func perform(_ wake: Wake, for owner: some Wakeable) {
    wake.timer?.work.cancel()
    if !wake.step.isEmpty { perform(wake.step, for: owner) }
    if wake.unsent > 0 { source?.discard(wake.unsent) }
  }

  /// Ends the owner's delivery.
  ///
  /// - Parameters:
  ///   - owner: The object that delivers.
  ///   - subject: The owner in diagnostics.
  ///   - dropped: The number of elements that a limit has dropped.
  package borrowing func finish(
    for owner: some Wakeable, _ subject: @autoclosure () -> DiagnosticSubject, dropped: Int = 0
  ) {
    if isWatched { source?.finish(dropped: dropped) }
    finishTurn(for: owner, subject())
  }

  /// Ends a delivery of the policy, which for a loop is the request of a run.
  borrowing func finishTurn(for owner: some Wakeable, _ subject: @autoclosure () -> DiagnosticSubject) {
    #if DEBUG
      if state.withLock({ $0.feedback.noteEnd() }) {
        let subject = subject()
        subject.misuse.flag(.feedback(subject))
      }
    #endif
    perform(state.withLock { $0.gate.deliveryFinished() }, for: owner)
  }
}

/// The action of the owner of a coalescer after a wake-up.
package enum WakeEffect {
  case none
  /// Deliver, and finish the delivery.
  case delivers
  /// End all waits for a delivery: the scheduler can no longer run work, and the pending delivery is dropped
  /// (S7).
  case loses
}
