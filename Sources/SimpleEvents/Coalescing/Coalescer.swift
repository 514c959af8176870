internal import Synchronization

/// The thread-safe engine of everything that coalesces: a gate, a timer and a source of turns.
///
/// Each object that delivers embeds one, and is its owner. The owner passes signals on, is woken by the
/// scheduler, and delivers when ``wake(_:for:isHere:taking:)`` or ``flush(_:)`` says so. When the delivery
/// has finished, immediately or after a suspension, it calls ``finish(for:_:)``. Until then no other delivery
/// starts (C1).
///
/// ```swift
/// func wake(_ cause: WakeCause) {
///   if coalescer.wake(cause, for: self) == .delivers {
///     deliver()
///     coalescer.finish(for: self, subject)
///   }
/// }
/// ```
@usableFromInline package struct Coalescer: ~Copyable, Sendable {
  @usableFromInline struct State {
    /// The timer of the gate's latest alarm; nil before the first.
    var timer: ArmedTimer?
    @usableFromInline var gate: CoalescingGate
    #if DEBUG
      var feedback: FeedbackWatch = FeedbackWatch()
    #endif

    /// Passes a signal to the gate.
    ///
    /// - Parameter isInside: Whether the owner knows that the caller is part of its delivery.
    @inline(__always) mutating func signal(at now: EventInstant?, isInside: Bool) -> CoalescingGate.Step? {
      #if DEBUG
        let wasPending = gate.isPending
        defer { if !wasPending && gate.isPending { feedback.noteSignal(isInside: isInside) } }
      #endif
      return gate.signal(at: now)
    }

    /// Records the start of a delivery for diagnostics.
    mutating func noteStart() {
      #if DEBUG
        feedback.noteStart()
      #endif
    }

    mutating func takeTimer() -> ArmedTimer? {
      defer { timer = nil }
      return timer
    }
  }

  /// A wake-up that was accepted.
  struct Wake {
    var effect: WakeEffect = .none
    var step: CoalescingGate.Step = CoalescingGate.Step()
    /// A timer to cancel.
    var timer: ArmedTimer?
    /// The number of signals that are lost, for the monitor.
    var unsent: Int = 0
  }

  /// Scheduled work in one word, because every event has room for a timer and few arm one.
  final class ArmedTimer: Sendable {
    let work: any ScheduledWork

    init(_ work: any ScheduledWork) { self.work = work }
  }

  /// The properties that all signals of an owner share, in one byte, because every event has a coalescer.
  @frozen @usableFromInline struct Traits: OptionSet {
    /// The policy lets a signal join a pending delivery without its instant being known.
    static var joinsWithoutClock: Traits { Traits(rawValue: 1) }
    /// A monitor sees the owner, so signals are counted.
    static var isWatched: Traits { Traits(rawValue: 2) }
    /// Both: a signal joins without its instant being known, and is counted.
    static var countsJoining: Traits { Traits(rawValue: 3) }
    /// A signal joins without its instant being known, and is not counted either.
    @inlinable static var joinsBlindly: Traits { Traits(rawValue: 4) }

    @usableFromInline var rawValue: UInt8

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    init(joinsWithoutClock: Bool, isWatched: Bool) {
      self = joinsWithoutClock ? (isWatched ? .joinsWithoutClock : [.joinsWithoutClock, .joinsBlindly]) : []
      if isWatched { insert(.isWatched) }
    }
  }

  let turns: TurnSource
  /// Guards the gate and its timer. The timer is cancelled and released after the lock.
  @usableFromInline let state: Guarded<State>
  /// Whether a pending delivery covers further signals, which then return immediately.
  ///
  /// Used where signals join blindly. Every signal sets it by an exchange. The start of a delivery and a
  /// cancellation clear it by an exchange under the lock:
  /// - A signal whose exchange precedes the clearing is covered by the delivery that starts. The delivery
  ///   sees the writes before the signal: read-modify-writes continue each other's release sequence, so the
  ///   acquiring clear synchronises with each of them.
  /// - A signal whose exchange follows the clearing finds false, and goes to the gate.
  // NB: a plain load is no part of that sequence. A signal that returned early after a load could miss its
  // delivery (C2).
  private let isCovered: Atomic<Bool> = Atomic(false)
  @usableFromInline let traits: Traits

  /// - Parameter subject: The owner in diagnostics.
  package init(on scheduler: any EventScheduler, policy: CoalescingPolicy, _ subject: DiagnosticSubject) {
    let source = CoalescingSystem.makeSource(subject, policy, on: scheduler)
    turns = source.map { WatchedTurns(scheduler.turnSource, $0) } ?? scheduler.turnSource
    let gate = CoalescingGate(
      policy: policy, start: policy.traits.contains(.isPaced) ? turns.now : .distantFuture)
    traits = Traits(joinsWithoutClock: gate.joinsWithoutClock, isWatched: source != nil)
    state = Guarded(State(gate: gate))
    if policy.edges.isEmpty { subject.misuse.flag(.noEdges(subject)) }
  }

  deinit {
    state.withLock { $0.timer }?.work.cancel()
    source?.end()
  }

  /// Whether a monitor sees the owner.
  var isWatched: Bool { traits.contains(.isWatched) }

  var joinsWithoutClock: Bool { traits.contains(.joinsWithoutClock) }

  @inlinable var joinsBlindly: Bool { traits.contains(.joinsBlindly) }

  /// The counts of the owner for a monitor; nil if none sees it.
  var source: CoalescingSource? { isWatched ? watchedTurns.source : nil }

  // SAFETY: the initialiser makes the turns of this class if a monitor sees the owner, and they are used only
  // then.
  private var watchedTurns: WatchedTurns { unsafe unsafeDowncast(turns, to: WatchedTurns.self) }

  /// Whether a delivery starts without a further signal.
  package var isPending: Bool { state.withLock { $0.gate.isPending } }

  /// Whether no delivery is pending, and no signal is on its way to make one pending.
  ///
  /// After its own signal, a caller reads false until the delivery starts. A relaxed load suffices: the
  /// exchange of the signal on the same thread precedes it in the modification order of the flag.
  var isQuiet: Bool { !(joinsBlindly && isCovered.load(ordering: .relaxed)) && !isPending }

  /// The end of the window; nil while none is open. Used by drawings only: a window can stay open after this
  /// instant.
  package var windowEnd: EventInstant? { state.withLock { $0.gate.windowEnd } }

  /// Accepts a signal, from any thread.
  @inline(__always) package borrowing func signal(for owner: some Wakeable) {
    if joinsBlindly && isCovered.exchange(true, ordering: .acquiringAndReleasing) { return }
    if traits == .countsJoining && watchedTurns.source.join() { return }
    signalUncovered(for: owner)
  }

  @inline(never) private borrowing func signalUncovered(for owner: any Wakeable) {
    // A signal that is counted is a signal with a payload that needs no place.
    guard !isWatched else { return signal(for: owner, storing: { _ in }) }
    let isInside = isDebugBuild && owner.isCallerInsideDelivery
    if joinsWithoutClock, let step = state.withLock({ $0.signal(at: nil, isInside: isInside) }) {
      return perform(step, for: owner)
    }
    let now = turns.now
    let step = state.withLock { $0.signal(at: now, isInside: isInside) }
    if let step, !step.isEmpty { perform(step, for: owner) }
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

  /// Drops the pending delivery, which another one includes, for an owner that holds a lock of its own. The
  /// caller passes the result to ``perform(_:for:)`` after it.
  ///
  /// - Parameter cause: The reason for the other delivery.
  borrowing func join(_ cause: CoalescingDelivery.Cause) -> Wake {
    state.withLock { state in
      guard state.gate.isPending else { return Wake() }
      state.gate.cancel()
      uncover()
      source?.handOver(cause)
      return Wake(timer: state.takeTimer())
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

  borrowing func perform(_ step: CoalescingGate.Step, for owner: any Wakeable) {
    if !step.isEmpty { PendingLog.note(owner, on: turns.scheduler) }
    if step.requestsTurn { owner.requestTurn(from: turns) }
    guard let alarm = step.alarm else { return }
    let timer = ArmedTimer(turns.scheduler.arm(alarm.deadline, ticket: alarm.ticket, for: owner))
    let unused = state.withLock { state -> ArmedTimer? in
      // The alarm may have been cancelled, or may have fired, since the gate requested it.
      guard state.gate.isCurrentAlarm(alarm.ticket) else { return timer }
      defer { state.timer = timer }
      return state.timer
    }
    unused?.work.cancel()
  }

  /// Lets signals go to the gate again. Called under the lock, together with the change of the gate that
  /// causes it.
  borrowing func uncover() {
    _ = isCovered.exchange(false, ordering: .acquiringAndReleasing)
    source?.uncover()
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
