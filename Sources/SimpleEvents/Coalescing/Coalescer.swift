internal import Synchronization

/// The thread-safe engine of everything that coalesces: a gate, a timer and a source of turns.
///
/// Each object that delivers embeds one, and is its owner. The owner passes signals on, is woken by the scheduler, and
/// delivers when ``wake(_:for:)`` or ``flush(_:)`` returns true. When the delivery has finished, at once or after a
/// suspension, it calls ``finish(for:)``. Until then no other delivery starts (C1).
///
/// ```swift
/// func wake(_ cause: WakeCause) {
///   if coalescer.wake(cause, for: self) {
///     deliver()
///     coalescer.finish(for: self)
///   }
/// }
/// ```
package struct Coalescer: ~Copyable, Sendable {
  struct State {
    /// The timer of the gate's latest alarm; nil before the first.
    var timer: ArmedTimer?
    var gate: CoalescingGate

    mutating func takeTimer() -> ArmedTimer? {
      defer { timer = nil }
      return timer
    }
  }

  /// Scheduled work in one word, because every event has room for a timer and few arm one.
  final class ArmedTimer: Sendable {
    let work: any ScheduledWork

    init(_ work: any ScheduledWork) { self.work = work }
  }

  let turns: TurnSource
  /// Guards the gate and its timer. The timer is cancelled and released after the lock.
  let state: Guarded<State>
  /// Whether a pending delivery covers further signals, which then return at once.
  ///
  /// Used where signals join blindly. Every signal sets it by an exchange. The start of a delivery and a cancellation
  /// clear it by an exchange under the lock:
  /// - A signal whose exchange precedes the clearing is covered by the delivery that starts. The delivery sees the writes
  ///   before the signal: read-modify-writes continue each other's release sequence, so the acquiring clear synchronises
  ///   with each of them.
  /// - A signal whose exchange follows the clearing finds false, and goes to the gate.
  // NB: a plain load is no part of that sequence. A signal that returned early after a load could miss its delivery (C2).
  private let isCovered: Atomic<Bool> = Atomic(false)
  /// Whether the policy lets a signal join a pending delivery without its instant being known.
  let joinsBlindly: Bool

  /// - Parameter subject: The owner in diagnostics.
  package init(on scheduler: any EventScheduler, policy: CoalescingPolicy, _ subject: DiagnosticSubject) {
    let gate = CoalescingGate(policy: policy)
    turns = scheduler.turnSource
    joinsBlindly = gate.joinsBlindly
    state = Guarded(State(gate: gate))
    if policy.edges.isEmpty { subject.misuse.flag(.noEdges(subject)) }
  }

  deinit { state.withLock { $0.timer }?.work.cancel() }

  /// Whether a delivery starts without a further signal.
  var isPending: Bool { state.withLock { $0.gate.isPending } }

  /// Whether no delivery is pending, and no signal is on its way to make one pending.
  ///
  /// A caller that has signalled sees false until the delivery starts. Relaxed, because its own signal has read the flag
  /// or set it, and a later load returns no older value.
  var isQuiet: Bool { !(joinsBlindly && isCovered.load(ordering: .relaxed)) && !isPending }

  /// The end of the window; nil while none is open. For drawings: a window may stay open after its end.
  package var windowEnd: EventInstant? { state.withLock { $0.gate.windowEnd } }

  /// Accepts a signal, from any thread.
  @inline(__always) package borrowing func signal(for owner: some Wakeable) {
    if joinsBlindly && isCovered.exchange(true, ordering: .acquiringAndReleasing) { return }
    signalUncovered(for: owner)
  }

  @inline(never) private borrowing func signalUncovered(for owner: any Wakeable) {
    if joinsBlindly, let step = state.withLock({ $0.gate.signal(at: nil) }) {
      return perform(step, for: owner)
    }
    let now = turns.now
    let step = state.withLock { $0.gate.signal(at: now) }
    if let step, !step.isEmpty { perform(step, for: owner) }
  }

  /// Accepts a turn or an alarm; returns whether the owner delivers now.
  package borrowing func wake(_ cause: WakeCause, for owner: some Wakeable) -> Bool {
    switch cause {
    case .turn:
      return state.withLock { state in
        guard state.gate.deliveryStarted() else { return false }
        uncover()
        return true
      }
    case .alarm(let ticket):
      let now = turns.now
      perform(state.withLock { $0.gate.deadlineReached(at: now, ticket: ticket) }, for: owner)
      return false
    }
  }

  /// Ends the owner's delivery.
  package borrowing func finish(for owner: some Wakeable) {
    perform(state.withLock { $0.gate.deliveryFinished() }, for: owner)
  }

  /// Drops the pending delivery and closes the window (C7).
  borrowing func cancel() {
    let timer = state.withLock { state -> ArmedTimer? in
      state.gate.cancel()
      uncover()
      return state.takeTimer()
    }
    timer?.work.cancel()
  }

  /// Drops the pending delivery, and ignores all later signals (E6).
  borrowing func close() {
    state.withLock { $0.gate = CoalescingGate(policy: .never) }
    cancel()
  }

  /// Closes the window; returns whether the owner delivers now (C7).
  ///
  /// - Parameter subject: The owner in diagnostics.
  borrowing func flush(_ subject: @autoclosure () -> DiagnosticSubject) -> Bool {
    let subject = subject()
    if subject.misuse.isActive && !turns.scheduler.isCurrent {
      subject.misuse.flag(.flushedElsewhere(subject))
    }
    let (delivers, timer) = state.withLock { state -> (Bool, ArmedTimer?) in
      guard state.gate.isPending else { return (false, nil) }
      let delivers = state.gate.flush()
      if delivers { uncover() }
      return (delivers, state.takeTimer())
    }
    timer?.work.cancel()
    return delivers
  }

  borrowing func perform(_ step: CoalescingGate.Step, for owner: any Wakeable) {
    if step.asksTurn { turns.ask(for: WakeHandle(owner)) }
    guard let alarm = step.alarm else { return }
    let timer = ArmedTimer(turns.arm(alarm.deadline, ticket: alarm.ticket, for: WakeHandle(owner)))
    let unused = state.withLock { state -> ArmedTimer? in
      // The alarm may have been cancelled, or may have gone off, since the gate asked for it.
      guard state.gate.awaits(alarm.ticket) else { return timer }
      defer { state.timer = timer }
      return state.timer
    }
    unused?.work.cancel()
  }

  /// Lets signals go to the gate again. Called under the lock, together with the change of the gate that causes it.
  private borrowing func uncover() { _ = isCovered.exchange(false, ordering: .acquiringAndReleasing) }
}
