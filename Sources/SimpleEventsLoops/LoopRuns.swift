public import SimpleEvents

/// The runs of one loop: the state of the loop, under the lock of a coalescer, and the effects of each
/// change.
///
/// A run is a delivery of the coalescer. It begins in a task, and ends when the body has ended. Its work is
/// then complete, or is repeated immediately or after a wait. An owned loop creates a task for each run, and
/// a hosted loop uses the task of its host. Neither needs a turn of the scheduler: the request or the
/// deadline that makes a run due creates the task or resumes it. Only a delivery during a run needs a turn:
/// the delivery may cancel the task of the run, and the cancellation then calls code of the program. A
/// request must not call that code (C5).
///
/// This class uses a task only to cancel it. The interleaving explorer can therefore use a turn of a queue
/// instead of a task.
@usableFromInline package final class LoopRuns {
  /// A function that creates the task of a run, with a priority if the priority is known, and stores the task
  /// in a `LoopTask`. The task calls ``begin(_:taking:)``, runs the body, and calls
  /// ``end(_:keeping:beforeEffects:)``.
  package typealias Start = (LoopRuns, LoopTask, TaskPriority?) -> Void

  /// The function with which an owned loop creates the task of a run.
  // NB: this is a separate type. A function in a generic enum or in an optional tuple is wrapped in a new
  // closure each time that it is read, which would be an allocation for each run.
  struct TaskCreation {
    let create: Start
  }

  struct State {
    var loop: LoopState<TaskCreation>
    var runs: RunState = RunState()
    /// The wait for the next attempt after an error; nil if there is none.
    var retry: PendingSleep?
    /// Whether that wait never ends by itself, for diagnostics.
    var isRetryEndless: Bool = false
    /// The number of runs and changes whose elements are still being discarded.
    var discardCount: Int = 0
  }

  /// The effects of a change, which are performed after the lock is released.
  struct Effects {
    var step: CoalescingGate.Step = CoalescingGate.Step()
    /// Whether the elements are dropped.
    var drops: Bool = false
    /// The task to be cancelled.
    var cancelled: LoopTask?
    /// The creation of the task of a run, and the priority of the task.
    var start: (creation: TaskCreation, priority: TaskPriority?)?
    /// The wait for the next attempt, if the change cancels the wait.
    var endedRetry: PendingSleep?
    /// The wait for the next attempt and its length, if the change begins the wait.
    var retry: (sleep: PendingSleep, delay: Duration)?
    /// The number of dropped requests, for a monitor.
    var unsent: Int = 0
    /// The function that discards the elements of dropped requests.
    var discard: (() -> Void)?
    /// Retains the error of an earlier run until the lock is released.
    var replacedError: (any Error)?
    /// Retains the mode that the end of the loop has replaced, until the lock is released.
    var endedMode: LoopState<TaskCreation>.Mode?
    var resumptions: [CancellableWait.Resumption] = []
  }

  /// The subject of diagnostics: the loop.
  @usableFromInline package let subject: DiagnosticSubject
  @usableFromInline package let coalescer: Coalescer
  package let retry: Backoff
  let whenBusy: RefreshLoop.WhenBusy
  package let isOwned: Bool
  /// The elements of requests.
  let input: any LoopInput
  // SAFETY: the state is used under the coalescer's lock only, so no two accesses overlap.
  /// The state of the loop. Tasks are created, resumed, cancelled and released after the lock is released.
  @exclusivity(unchecked) var state: State

  /// - Parameter start: The function that creates the task of a run; nil for a hosted loop.
  package init(
    on scheduler: some EventScheduler, policy: CoalescingPolicy, whenBusy: RefreshLoop.WhenBusy = .rerun,
    retry: Backoff = .never, _ subject: DiagnosticSubject, input: any LoopInput = NoInput(value: ()),
    start: Start?
  ) {
    self.subject = subject
    self.retry = retry
    self.whenBusy = whenBusy
    self.input = input
    isOwned = start != nil
    coalescer = Coalescer(on: scheduler, policy: policy, subject, runs: whenBusy.traits)
    unsafe state = State(loop: LoopState(start.map { TaskCreation(create: $0) }))
    retry.flagIfNotANumber(subject)
  }

  // MARK: Requests

  /// Accepts a request, from any thread.
  @inline(__always) package func request() { if !coalescer.join() { requestUncovered() } }

  @inline(never) private func requestUncovered() {
    let priority = callerPriority
    var effects = Effects()
    coalescer.signalUncovered(for: self) { note($0, priority, &effects) }
    perform(&effects)
  }

  var callerPriority: TaskPriority? { isOwned ? Task.currentPriority : nil }

  /// Records the priority of an accepted request, and lets a task begin the run that the step of the gate
  /// makes due. Called under the lock.
  func note(_ step: CoalescingGate.Step, _ priority: TaskPriority?, _ effects: inout Effects) {
    if let priority, step.isAccepted { unsafe state.runs.priorities.note(priority) }
    guard step.startsRun else { return }
    unsafe start(&state, &effects)
    effects.resumptions = unsafe state.loop.waits.end { $0.isHost }
  }

  // MARK: Changes

  /// Changes the gate and the state in one step, and performs the effects after the lock is released.
  ///
  /// - Parameter finish: A function that is called under no lock, before the effects are performed.
  func change<Result>(
    beforeEffects finish: () -> Void = {},
    _ body: (_ gate: inout CoalescingGate, _ state: inout State, _ effects: inout Effects) -> Result
  ) -> Result {
    var effects = Effects()
    var result: Result?
    coalescer.change(for: self, subject) { gate in
      result = unsafe body(&gate, &state, &effects)
      unsafe complete(&gate, &state, &effects)
      return effects.step
    }
    finish()
    perform(&effects)
    return result!
  }

  /// Adds the effects that follow from the state after a change. Called under the lock, as a part of the
  /// change.
  private func complete(_ gate: inout CoalescingGate, _ state: inout State, _ effects: inout Effects) {
    if effects.step.startsRun { start(&state, &effects) }
    if effects.step.cancelsRun { effects.cancelled = state.runs.takeTask() }
    if !gate.isWaiting { effects.endedRetry = state.retry.take() }
    if state.loop.isFinishing && !gate.isRunning && !gate.isPending { markEnded(&state, &effects) }
    if !gate.isPending {
      // NB: the step that drops the pending run also takes the elements. Otherwise an element would stay
      // without a pending run.
      if effects.drops || effects.step.loses {
        effects.discard = input.takeAll()
        if effects.discard != nil { state.discardCount += 1 }
        effects.resumptions += state.runs.drop()
      }
      // If the loop has ended, the pending signals are not taken, because the report of the end contains
      // their number.
      if !state.loop.hasEnded { effects.unsent = coalescer.source?.takePending() ?? 0 }
      state.runs.priorities.drop()
    }
    effects.resumptions += state.loop.endReached(
      isPending: isPending(gate), isRunning: gate.isRunning || state.discardCount > 0, isDue: gate.isRunDue)
    checkInvariants(gate, state)
  }

  /// Ends the loop, so that no further run begins. The caller has dropped all pending runs.
  func markEnded(_ state: inout State, _ effects: inout Effects) {
    guard let mode = state.loop.end() else { return }
    effects.endedMode = mode
    effects.drops = true
  }

  /// Adds the creation of a task for the due run to the effects. A hosted loop needs no task, because its
  /// host waits for the run.
  private func start(_ state: inout State, _ effects: inout Effects) {
    guard case .owned(let creation) = state.loop.mode else { return }
    effects.start = (creation, state.runs.priorities.take())
  }

  func perform(_ effects: inout Effects) {
    effects.endedRetry?.cancel()
    effects.cancelled?.cancel()
    if let start = effects.start { start.creation.create(self, LoopTask(), start.priority) }
    if let retry = effects.retry { schedule(retry.sleep, after: retry.delay) }
    if effects.unsent > 0 { coalescer.source?.discard(effects.unsent) }
    // Elements are discarded and released before a wait ends, also if another change ends the wait.
    let discards = effects.discard != nil
    effects.discard?()
    effects.discard = nil
    if effects.endedMode != nil { coalescer.source?.end() }
    if discards { change { _, state, _ in state.discardCount -= 1 } }
    for resumption in effects.resumptions { resumption() }
    // The body and errors are released here, under no lock.
    withExtendedLifetime(effects) {}
  }

  /// Begins the wait for an attempt. The wait retains this object until the wait ends. The end of the loop
  /// cancels the wait.
  private func schedule(_ retry: PendingSleep, after delay: Duration) {
    let turns = coalescer.turns
    let deadline = turns.now.advanced(by: delay)
    if deadline == .distantFuture {
      coalescer.withLock { if unsafe state.retry === retry { unsafe state.isRetryEndless = true } }
    }
    PendingLog.note(self, on: turns.scheduler)
    retry.begin(on: turns.scheduler, until: deadline, tolerance: .zero) { self.endRetry(retry, $0) }
  }

  /// Checks that the state of the loop and that of the gate are consistent.
  private func checkInvariants(_ gate: CoalescingGate, _ state: State) {
    invariant((state.runs.run != nil) == gate.isRunning, "L1: a run in progress has a task")
    invariant((state.retry != nil) == gate.isWaiting, "L8: a loop waits for one attempt")
    invariant(!state.loop.hasEnded || !gate.isPending, "L5: a loop that has ended begins no run")
    invariant(
      !state.loop.isFinishing || state.loop.hasEnded || gate.isRunning || gate.isPending,
      "L5: a loop that is finishing has a run in progress or pending")
    invariant(!gate.isWaiting || state.runs.failures > 0, "L8: only a failed run is attempted again")
    invariant(
      state.runs.answers.isEmpty || gate.isRunning || isPending(gate),
      "L10: a request is answered by a run to come")
  }

  // MARK: The state

  /// Reads the gate and the state under the lock.
  func read<Result>(_ body: (CoalescingGate, State) -> Result) -> Result {
    coalescer.read { unsafe body($0, state) }
  }

  func isPending(_ gate: CoalescingGate) -> Bool { coalescer.isPending(gate) }

  /// Whether a run begins without a further request.
  package var isPending: Bool { coalescer.isPending }

  package var isEndless: Bool {
    read { gate, state in gate.isWaiting ? state.isRetryEndless : gate.isEndless }
  }

  /// Whether runs are pending until a task hosts the loop.
  package var needsHost: Bool { read { $1.loop.isUnhosted && isPending($0) } }

  /// Whether a run is in progress.
  package var isRunning: Bool { read { gate, _ in gate.isRunning } }

  /// Whether the current task is part of the run in progress.
  package var isCallerInsideRun: Bool {
    guard let number = RunScope.number(ofRunOf: self) else { return false }
    return read { $0.isRunning && $1.loop.count == number }
  }

  /// Records for diagnostics that a loop is released with requests pending and has never had a host (L7).
  func noteIfNeglected() {
    guard isDebugBuild else { return }
    if read({ $1.loop.isNeglected && isPending($0) }) { PendingLog.noteNeglected(subject) }
  }
}

extension LoopRuns: RunSource, AwaitedRuns {
  package var loop: any AwaitedRuns { self }
  package var turns: TurnSource { coalescer.turns }
}

extension RefreshLoop.WhenBusy {
  /// The traits that a policy needs, so that a delivery during a run has the effect of this value.
  var traits: CoalescingPolicy.Traits {
    switch self {
    case .rerun: .makesRuns
    case .restart: [.makesRuns, .restarts]
    case .ignore: [.makesRuns, .ignores]
    }
  }
}

// SAFETY: the function that creates tasks is called by one thread at a time: a task is requested only after
// the previous run has ended. The functions of waiters are called once. The state is used under the
// coalescer's lock. Each other property is immutable, atomic or guarded by a lock.
extension LoopRuns: @unchecked Sendable {}
