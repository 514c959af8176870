/// The runs of one loop: the thread-safe shell around a gate, behind a coalescer.
///
/// This class performs the actions of the gate. A run has a task: the function of an owned loop creates one
/// for each run, and a hosted loop uses the task of its host. Neither needs a turn of the scheduler: a
/// request or a deadline of the policy creates or resumes the task, which accepts the delivery itself. Only a
/// delivery during a run needs a turn, because it may cancel the run, and a request must not run code of the
/// program (C5).
///
/// Of a task, this class uses only its cancellation, so that the explorer can use a turn of a queue instead
/// of a task.
///
/// A subclass stores the elements of requests.
@usableFromInline package class RefreshRuns {
  /// Creates the task of a run, which calls ``begin(_:)``, runs the body, and calls ``end(_:retryAfter:)``.
  /// It stores the task in the run.
  package typealias Start = (RefreshRuns, RefreshRun) -> Void

  /// The task that runs the body.
  enum Mode {
    /// A task is made for each run.
    case owned(Start)
    case hosted(Host)
    /// - Parameter hasTurn: Whether a turn was requested that the next host will accept.
    case unhosted(hasTurn: Bool)
    case ended
  }

  struct State {
    var gate: RefreshGate
    var mode: Mode
    /// The task of the run in progress.
    var run: RefreshRun?
    /// The wait for the next attempt after an error; nil if there is none.
    var retry: PendingSleep?
    /// The waits in progress.
    var waits: [RefreshWait] = []
    /// The number of runs that have begun.
    var count: Int = 0
    /// Whether a host has ever come.
    var wasHosted: Bool = false

    /// Whether there is no task to begin a run.
    var isUnhosted: Bool { if case .unhosted = mode { true } else { false } }
  }

  /// The effects of a change of the state, which are performed after the lock.
  private struct Effects {
    /// The wait for an attempt, to be cancelled.
    var endedRetry: PendingSleep?
    /// The wait for an attempt, to be begun.
    var retry: PendingSleep?
    var cancelled: RefreshRun?
    var start: (() -> Void)?
    var resumptions: [CancellableWait.Resumption] = []
    /// The number of requests that are not answered, for the monitor.
    var unsent: Int = 0
    /// The elements of requests that are dropped, to be released.
    var discarded: Any?
    /// The mode before the end of the loop, to be released.
    var mode: Mode?
  }

  /// The loop in diagnostics.
  @usableFromInline package let subject: DiagnosticSubject
  @usableFromInline let coalescer: Coalescer
  let retry: Backoff
  private let isOwned: Bool
  // SAFETY: used under the coalescer's lock only, so no two accesses overlap.
  /// The priorities of requests. The lock of the coalescer guards them, so that a request is noted in the
  /// step in which it is accepted.
  @exclusivity(unchecked) private var priorities: RunPriorities = RunPriorities()
  /// Guards the gate, the tasks and the waits. Tasks are made, resumed, cancelled and released after the
  /// lock.
  ///
  /// The coalescer's lock is taken inside it, never the other way round. A holder of this lock therefore
  /// never sees a delivery that has left the coalescer and not yet reached the gate.
  let state: Guarded<State>

  /// - Parameter start: Makes the task of a run; nil for a loop that is hosted.
  package init(
    on scheduler: some EventScheduler, policy: CoalescingPolicy, whenBusy: RefreshLoop.WhenBusy,
    retry: Backoff = .never, _ subject: DiagnosticSubject, start: Start?
  ) {
    self.subject = subject
    self.retry = retry
    coalescer = Coalescer(on: scheduler, policy: policy, subject)
    isOwned = start != nil
    state = Guarded(
      State(
        gate: RefreshGate(whenBusy: whenBusy), mode: start.map { .owned($0) } ?? .unhosted(hasTurn: false)))
    retry.flagIfNotANumber(subject)
  }

  func isPending(_ state: State) -> Bool { coalescer.isPending || state.gate.isPending }

  /// Accepts a request, from any thread.
  @inline(__always) package final func request() { if !coalescer.join() { requestUncovered() } }

  @inline(never) private final func requestUncovered() {
    let priority = callerPriority
    coalescer.signalUncovered(for: self) { note(priority) }
  }

  /// The priority of the caller, if it counts for a run.
  @usableFromInline final var callerPriority: TaskPriority? { isOwned ? Task.currentPriority : nil }

  /// Records the priority of a request. Called under the coalescer's lock.
  @usableFromInline final func note(_ priority: TaskPriority?) {
    if let priority { unsafe priorities.note(priority) }
  }

  /// Takes the priority of the run that begins next; nil if it is not known.
  final func takePriority() -> TaskPriority? { coalescer.withLock { unsafe priorities.take() } }

  /// Whether a run begins without a further request.
  package final var isPending: Bool { state.withLock { isPending($0) } }

  /// Whether runs are pending until a task hosts the loop.
  package final var needsHost: Bool { state.withLock { $0.isUnhosted && isPending($0) } }

  /// Whether a run is in progress.
  package final var isRunning: Bool { state.withLock { $0.gate.isRunning } }

  /// The number of runs that have begun.
  final var count: Int { state.withLock { $0.count } }

  /// Whether the current task is part of the run in progress.
  final var isCallerInsideRun: Bool {
    guard let number = RunScope.number(ofRunOf: self) else { return false }
    return state.withLock { $0.gate.isRunning && $0.count == number }
  }

  /// The executor of runs that are not isolated to an actor.
  final var executor: (any TaskExecutor)? { coalescer.turns.scheduler.taskExecutor }

  /// Whether no attempt follows the run in progress if it fails.
  final var isLastRun: Bool { state.withLock { $0.gate.isLastRun } }

  /// The number of failures in a row that are retried.
  package final var failures: Int { state.withLock { $0.gate.failures } }

  /// Records for diagnostics that a loop is released with requests pending and has never had a host (L7).
  final func noteIfNeglected() {
    guard isDebugBuild else { return }
    let isNeglected = state.withLock { $0.isUnhosted && !$0.wasHosted && isPending($0) }
    if isNeglected { PendingLog.noteNeglected(subject) }
  }

  /// Records that a task is about to run the body; returns false if no run is due any longer.
  ///
  /// The run answers all requests that wait for nothing but a turn.
  package final func begin(_ run: RefreshRun) -> Bool {
    let now = coalescer.source?.now
    var isDelivered = false
    let begins = change { state -> (RefreshGate.Action?, Bool) in
      isDelivered = coalescer.accept(.turn, at: .distantFuture).effect == .delivers
      let action = isDelivered ? state.gate.deliver() : nil
      // The delivery may have come during a run of another task, which it may cancel (L3).
      guard state.gate.begin() else { return (action, false) }
      state.run = run
      state.count += 1
      if let now { coalescer.source?.begin(at: now) }
      return (nil, true)
    }
    if isDelivered { coalescer.finishTurn(for: self, subject) }
    return begins
  }

  /// Records that the body has ended, after its error was reported.
  ///
  /// - Parameters:
  ///   - delay: The wait before the next attempt, if there is one.
  ///   - dropped: The number of elements that a limit has dropped, for a monitor.
  ///   - error: The error of the run, for a monitor.
  ///   - isCancelled: Whether that error is no failure, for a monitor.
  ///   - keep: Keeps the input of the run. Called under the lock, if the work is repeated.
  /// - Returns: Whether the run was cancelled.
  @discardableResult package final func end(
    _ outcome: RefreshGate.Outcome, retryAfter delay: Duration = .zero, dropped: Int = 0,
    error: (any Error)? = nil, isCancelled: Bool = false, keeping keep: () -> Void = {}
  ) -> Bool {
    coalescer.source?.finish(dropped: dropped, error: error, isCancelled: isCancelled)
    var joined = Coalescer.Wake()
    let wasCancelled = change(retryAfter: delay) { state in
      let wasCancelled = state.gate.isRunCancelled
      if state.gate.isRepeated(after: outcome) {
        keep()
        coalescer.withLock { unsafe priorities.putBack() }
      }
      state.run = nil
      let isDeliveryPending = coalescer.isPending
      if state.gate.isNextFlushed { joined = coalescer.join(.flush) }
      return (state.gate.end(outcome, isDeliveryPending: isDeliveryPending), wasCancelled)
    }
    coalescer.perform(joined, for: self)
    return wasCancelled
  }

  /// Takes the elements of requests, for release after the lock is released. A subclass has elements.
  func takeElements() -> Any? { nil }

  final func act(_ body: (inout State) -> RefreshGate.Action?) { change { (body(&$0), ()) } }

  /// Changes the gate, and performs the action that follows from the change after the lock.
  ///
  /// - Parameter delay: The wait before the next attempt, if the action is a wait.
  final func change<Result>(
    retryAfter delay: Duration = .zero, _ change: (inout State) -> (RefreshGate.Action?, Result)
  ) -> Result {
    var (effects, result) = state.withLock { state -> (Effects, Result) in
      let (action, result) = change(&state)
      return (makeEffects(of: action, &state), result)
    }
    effects.endedRetry?.cancel()
    effects.cancelled?.cancel()
    effects.start?()
    if let retry = effects.retry { begin(retry, after: delay) }
    if effects.unsent > 0 { coalescer.source?.discard(effects.unsent) }
    // Elements are released before a wait ends.
    effects.discarded = nil
    if effects.mode != nil {
      // This comes before the end, because no signal is counted after it.
      coalescer.ignoreSignals()
      withExtendedLifetime(takeElements()) {}
      coalescer.source?.end()
    }
    for resumption in effects.resumptions { resumption() }
    // The body is released here, after the lock.
    withExtendedLifetime(effects.mode) {}
    return result
  }

  /// The effects of an action. Called under the lock, with the change of the gate that the action follows
  /// from.
  private final func makeEffects(of action: RefreshGate.Action?, _ state: inout State) -> Effects {
    var effects = Effects()
    if !state.gate.isWaiting { effects.endedRetry = state.retry.take() }
    switch action {
    case .start:
      effects.start = start(isTurn: false, &state)
    case .cancel:
      effects.cancelled = state.run
    case .wait:
      let retry = PendingSleep()
      state.retry = retry
      effects.retry = retry
    case .discard:
      // NB: after the change, so that no element stays without a pending run.
      effects.discarded = takeElements()
    case nil:
      break
    }
    if state.gate.isOver {
      effects.mode = state.mode
      if case .hosted(var host) = state.mode {
        effects.start = host.wait.end(.reached).map { $0.callAsFunction }
      }
      state.mode = .ended
    } else if coalescer.isWatched && !state.gate.holdsRequests {
      effects.unsent = coalescer.source?.takeHandedOver() ?? 0
    }
    effects.resumptions = takeReached(&state)
    return effects
  }

  /// The function that lets a task begin a run; nil if there is no task, and the next host looks for the run
  /// itself.
  final func start(isTurn: Bool, _ state: inout State) -> (() -> Void)? {
    switch state.mode {
    case .owned(let start):
      return { [self] in start(self, RefreshRun()) }
    case .hosted(var host):
      // A host that does not wait yet finds the run, or the turn, before it does.
      if isTurn { host.hasTurn = true }
      let resumption = host.wait.end(.reached)
      state.mode = .hosted(host)
      return { resumption?() }
    case .unhosted:
      if isTurn { state.mode = .unhosted(hasTurn: true) }
      return nil
    case .ended:
      return nil
    }
  }

  /// Begins the wait for an attempt, which holds the loop weakly.
  private final func begin(_ retry: PendingSleep, after delay: Duration) {
    let turns = coalescer.turns
    PendingLog.note(self, on: turns.scheduler)
    let handle = WeakHandle(self)
    retry.begin(on: turns.scheduler, until: turns.now.advanced(by: delay), tolerance: .zero) { end in
      handle.object?.endRetry(retry, end)
    }
  }
}

// SAFETY: the function that makes tasks is called by one thread at a time: a run becomes due only after the
// previous one has ended. The functions of waiters and of a host are called once. All other properties are
// immutable, atomic or behind a lock.
extension RefreshRuns: @unchecked Sendable {}
