public import Synchronization

/// The thread-safe engine of an object that coalesces without keys: a gate, a timer and a source of turns.
///
/// Each object that delivers embeds a coalescer, and is its owner. The owner passes signals to the coalescer,
/// and the scheduler wakes the owner. The owner delivers if ``wake(_:for:isHere:taking:)`` returns
/// `.delivers`, or if ``flush(_:isOwed:taking:)`` returns true. When the delivery has finished, immediately
/// or after a suspension, the owner calls ``finish(for:_:dropped:)``. Until then no other delivery starts
/// (C1).
///
/// ```swift
/// func wake(_ cause: WakeCause) {
///   if coalescer.wake(cause, for: self) == .delivers {
///     deliver()
///     coalescer.finish(for: self, subject)
///   }
/// }
/// ```
///
/// The delivery of a loop is a run, which begins in a task. A loop changes the gate and its own state in one
/// step, with ``change(for:_:_:)``.
@usableFromInline package struct Coalescer: ~Copyable, Sendable {
  @usableFromInline struct State {
    /// The timer of the gate's latest alarm; nil if there is none.
    var timer: ArmedTimer?
    @usableFromInline var gate: CoalescingGate
    var feedback: FeedbackWatch = FeedbackWatch()

    /// Passes a signal to the gate.
    ///
    /// - Parameter isInside: Whether the owner knows that the caller is part of its delivery.
    @inline(__always) mutating func signal(at now: EventInstant?, isInside: Bool) -> CoalescingGate.Step? {
      let wasPending = gate.isDeliveryPending
      defer { if !wasPending && gate.isDeliveryPending { feedback.noteSignal(isInside: isInside) } }
      return gate.signal(at: now)
    }

    /// Takes the timer if it is void, because its alarm has fired or the window was closed.
    mutating func takeVoidTimer() -> ArmedTimer? { gate.isArmed ? nil : timer.take() }
  }

  /// Scheduled work behind a reference, so that every event reserves only one word for a timer. Few events
  /// arm a timer.
  final class ArmedTimer: Sendable {
    let work: any ScheduledWork

    init(_ work: any ScheduledWork) { self.work = work }
  }

  /// The properties that all signals of an owner share. They are in one byte, because every event has a
  /// coalescer.
  @frozen @usableFromInline struct Traits: OptionSet {
    /// The policy lets a signal join a pending delivery even if the instant of the signal is not known.
    @inlinable static var joinsWithoutClock: Traits { Traits(rawValue: 1) }
    /// A monitor sees the owner, so signals are counted.
    static var isWatched: Traits { Traits(rawValue: 2) }

    @usableFromInline var rawValue: UInt8

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// The result of one attempt to pass a signal to the gate.
  private enum Attempt {
    /// The step depends on the instant of the signal, and no instant was given.
    case needsInstant
    /// The signal is not admitted.
    case refused
    case done(CoalescingGate.Step, ArmedTimer?)
  }

  package let turns: TurnSource
  /// Guards the gate and its timer. The timer is cancelled and released after the lock is released.
  @usableFromInline let state: Guarded<State>
  /// Whether a pending delivery covers further signals, which then return immediately.
  ///
  /// The flag is used only if signals join blindly (``joinsBlindly``). Every signal sets it by an exchange.
  /// The start of a delivery and a cancellation clear it by an exchange under the lock:
  /// - A signal whose exchange precedes the clearing is covered by the delivery that starts. The delivery
  ///   sees the writes before the signal: read-modify-writes continue each other's release sequence, so the
  ///   acquiring clear synchronises with each of them.
  /// - A signal whose exchange follows the clearing finds false, and goes to the gate.
  ///
  /// A signal that finds false is *on its way* until it has the lock. Signals that find true rely on that
  /// signal. Under the lock, a set flag therefore counts as a pending delivery of the gate: a signal on its
  /// way is pending, and a step that clears the flag delivers or drops the signal. If a signal on its way
  /// gets the lock and finds the flag cleared, it has no effect.
  // NB: a plain load is not part of that release sequence. If a signal returned early after a load, the
  // delivery might not see the writes before the signal (C2).
  @usableFromInline let isCovered: Atomic<Bool> = Atomic(false)
  @usableFromInline let traits: Traits

  /// - Parameters:
  ///   - scheduler: The scheduler that wakes the owner.
  ///   - policy: The rule by which signals become deliveries.
  ///   - subject: The subject of diagnostics: the owner.
  ///   - runs: For a loop, the effect of a delivery during a run.
  package init(
    on scheduler: any EventScheduler, policy: CoalescingPolicy, _ subject: DiagnosticSubject,
    runs: CoalescingPolicy.Traits = []
  ) {
    let source = CoalescingSystem.makeSource(subject, policy, on: scheduler)
    turns = source.map { WatchedTurns(scheduler.turnSource, $0) } ?? scheduler.turnSource
    let gate = CoalescingGate(
      policy: policy.makingRuns(runs), start: policy.traits.contains(.isPaced) ? turns.now : .distantFuture)
    let joining: Traits = gate.joinsWithoutClock ? .joinsWithoutClock : []
    traits = source == nil ? joining : joining.union(.isWatched)
    state = Guarded(State(gate: gate))
    if policy.edges.isEmpty { subject.misuse.flag(.noEdges(subject)) }
  }

  deinit {
    state.withLock { $0.timer }?.work.cancel()
    source?.end()
  }

  /// Whether a monitor sees the owner.
  package var isWatched: Bool { traits.contains(.isWatched) }

  var joinsWithoutClock: Bool { traits.contains(.joinsWithoutClock) }

  /// Whether no monitor sees the owner, and a signal can join although its instant is not known.
  @inlinable var joinsBlindly: Bool { traits == .joinsWithoutClock }

  /// The counts of the owner for a monitor; nil if no monitor sees the owner.
  package var source: CoalescingSource? { isWatched ? watchedTurns.source : nil }

  // SAFETY: the initialiser creates `turns` as a `WatchedTurns` if a monitor sees the owner, and this
  // property is used only then.
  private var watchedTurns: WatchedTurns { unsafe unsafeDowncast(turns, to: WatchedTurns.self) }

  /// Whether a delivery starts without a further signal.
  ///
  /// After a signal that the policy accepts, the thread of the signal reads true until the delivery starts or
  /// is dropped.
  package var isPending: Bool { state.withLock { isPending($0.gate) } }

  /// Whether a delivery is pending or in progress.
  var isPendingOrDelivering: Bool { state.withLock { isPending($0.gate) || $0.gate.isRunning } }

  /// Whether a delivery is pending at the end of a window that never ends (C8).
  package var isEndless: Bool { state.withLock { $0.gate.isEndless } }

  /// Whether a delivery is pending, or a signal is on its way to make one pending. Called under the lock.
  package borrowing func isPending(_ gate: CoalescingGate) -> Bool {
    gate.isPending || isSignalled && !gate.isClosed
  }

  /// Whether a signal has set `isCovered`, and the flag was not cleared since then. Called under the lock.
  ///
  /// A relaxed load suffices. If a signal was made on the same thread, or on a thread with which the caller
  /// has synchronised, the load reads the value that the signal has set, or a later value of the flag.
  package var isSignalled: Bool { joinsBlindly && isCovered.load(ordering: .relaxed) }

  /// The end of the window; nil while no window is open. Only drawings use it, because a window can stay open
  /// after this instant.
  package var windowEnd: EventInstant? { state.withLock { $0.gate.windowEnd } }

  /// Accepts a signal, from any thread.
  @inline(__always) package borrowing func signal(for owner: some Wakeable) {
    if !join() { signalUncovered(for: owner) }
  }

  /// Lets a signal join the pending signals if it can join without the lock; returns false otherwise.
  ///
  /// If the signal has not joined, the caller passes it to ``signalUncovered(for:noting:)``.
  // NB: this method is inlinable, because loops are in another module. Otherwise a request to a loop would
  // take longer than a trigger of an event.
  @inlinable @inline(__always) package borrowing func join() -> Bool {
    joinsBlindly && isCovered.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Accepts a signal that has not joined, unless a delivery or a cancellation has taken it over while it was
  /// on its way.
  ///
  /// - Parameter note: A function that receives the step of the gate. It is called under the lock if the
  ///   signal reaches the gate.
  @inline(never) package borrowing func signalUncovered(
    for owner: any Wakeable, noting note: (CoalescingGate.Step) -> Void = { _ in }
  ) {
    if isWatched && turns.joinCounted() { return }
    // A signal without a payload stores nothing.
    _ = attempt(
      for: owner, if: { !joinsBlindly || isSignalled }, storing: { _ in false }, noting: { note($1) })
  }

  /// Accepts a signal that has not joined; returns whether the signal is admitted.
  ///
  /// - Parameters:
  ///   - owner: The object that delivers.
  ///   - isAdmitted: A function that is called under the lock. If it returns false, the signal has no effect.
  ///   - store: A function that stores the payload, and returns whether a batch is full. It is called under
  ///     the lock.
  ///   - note: A function that receives the gate and its step. It is called under the lock.
  package borrowing func attempt(
    for owner: some Wakeable, if isAdmitted: () -> Bool, storing store: (_ isAccepted: Bool) -> Bool,
    noting note: (CoalescingGate, CoalescingGate.Step) -> Void = { _, _ in }
  ) -> Bool {
    let isInside = isDebugBuild && owner.isCallerInsideDelivery
    var now = joinsWithoutClock ? nil : turns.now
    while true {
      switch attempt(at: now, isInside, isAdmitted, store, note) {
      case .needsInstant: now = turns.now
      case .refused: return false
      case .done(let step, let timer):
        timer?.work.cancel()
        if !step.isEmpty { perform(step, for: owner) }
        // A window that never ends makes its object pending without a turn or an alarm.
        if isDebugBuild && step.isEmpty && isEndless {
          PendingLog.note(owner, on: turns.scheduler, isRequest: false)
        }
        return true
      }
    }
  }

  @inline(__always)
  private borrowing func attempt(
    at now: EventInstant?, _ isInside: Bool, _ isAdmitted: () -> Bool, _ store: (_ isAccepted: Bool) -> Bool,
    _ note: (CoalescingGate, CoalescingGate.Step) -> Void
  ) -> Attempt {
    state.withLock { state in
      guard isAdmitted() else { return .refused }
      // A monitor also needs the instant of the first signal.
      if isWatched && now == nil && source?.hasPending != true { return .needsInstant }
      guard var step = state.signal(at: now, isInside: isInside) else { return .needsInstant }
      let isFull = store(step.isAccepted)
      if isFull { state.gate.fill(&step) }
      note(state.gate, step)
      if isWatched && step.isAccepted { source?.noteSignal(at: now, covers: joinsWithoutClock) }
      return .done(step, isFull ? state.takeVoidTimer() : nil)
    }
  }

  /// Changes the gate and the state of a loop in one step under the lock, and performs the actions of the
  /// gate.
  ///
  /// Two actions are left to the loop: to make the task of a run, and to cancel the run in progress.
  ///
  /// - Parameters:
  ///   - owner: The object that makes the runs.
  ///   - subject: The subject of diagnostics: the owner.
  ///   - change: The function that makes the change. It is called under the lock.
  package borrowing func change(
    for owner: some Wakeable, _ subject: @autoclosure () -> DiagnosticSubject,
    _ change: (inout CoalescingGate) -> CoalescingGate.Step
  ) {
    var isFed = false
    let (step, timer) = state.withLock { state -> (CoalescingGate.Step, ArmedTimer?) in
      let step = change(&state.gate)
      // The task of a run may move to another thread, so the watch ends before the run.
      if step.delivers {
        state.feedback.noteStart()
        isFed = state.feedback.noteEnd()
      }
      return (step, state.takeVoidTimer())
    }
    timer?.work.cancel()
    if !step.isEmpty { perform(step, for: owner) }
    if isFed { flagFeedback(subject()) }
  }

  /// Reads the gate and the payload under the lock.
  package borrowing func read<Result>(_ body: (CoalescingGate) -> Result) -> Result {
    state.withLock { body($0.gate) }
  }

  /// Requests a turn for other work of the owner, even if no delivery is due. If a requested turn is still to
  /// come, no further turn is requested.
  borrowing func askTurn(for owner: some Wakeable) {
    perform(state.withLock { $0.gate.askTurn() }, for: owner)
  }

  /// Requests the turn and arms the alarm of a step. It is called under no lock. The owner makes the task of
  /// a run.
  borrowing func perform(_ step: CoalescingGate.Step, for owner: any Wakeable) {
    if !step.isEmpty { PendingLog.note(owner, on: turns.scheduler) }
    if step.requestsTurn { turns.ask(for: owner) }
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

  /// Makes later signals go to the gate. It is called under the lock, together with the change of the gate.
  package borrowing func uncover() {
    _ = isCovered.exchange(false, ordering: .acquiringAndReleasing)
    source?.uncover()
  }
}
