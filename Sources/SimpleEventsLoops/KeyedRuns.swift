public import SimpleEvents

/// The runs of all keys of one loop: the state of the loop and of its keys, under one lock, and the effects
/// of each change.
///
/// The gate of a key works as the gate of a loop, see ``LoopRuns``. If a run of a key is due, the key is in
/// line, and it leaves the line when a task is free to make the run (K4). As in the `workqueue` of
/// Kubernetes, a key that is requested during its run goes to the end of the line when the run has ended. A
/// key is in line once, however often it is requested.
///
/// A key is represented by the object of its runs. The index of the loop finds that object under the lock.
@usableFromInline package final class KeyedRuns {
  /// A function that creates the task of a run of a key, with a priority if the priority is known.
  @usableFromInline package typealias Start = (KeyedRuns, KeyRun, TaskPriority?) -> Void
  typealias Gates = KeyedGates<KeyRun, Void>

  /// The function with which an owned loop creates the task of a run. See ``LoopRuns/TaskCreation``.
  struct TaskCreation {
    let create: Start
  }

  struct State {
    var loop: LoopState<TaskCreation>
    /// The largest number of tasks that make runs at the same time.
    var limit: Int
    /// The number of tasks that have taken a key from the line and have not ended.
    var taskCount: Int = 0
    /// The numbers of the runs in progress.
    var running: Set<Int> = []
    /// The error that ends the host; nil if there is none.
    var failure: (any Error)?
  }

  /// The effects of a change, which are performed after the lock is released.
  struct Effects {
    var gates: Gates.Effects?
    /// The tasks to be cancelled.
    var cancelled: [LoopTask] = []
    /// The keys whose tasks are to be created.
    var starts: [(creation: TaskCreation, key: KeyRun, priority: TaskPriority?)] = []
    /// The numbers of dropped requests of keys, for a monitor. Each number is reported separately.
    var unsent: [Int] = []
    /// Retains the mode that the end of the loop has replaced, until the lock is released.
    var endedMode: LoopState<TaskCreation>.Mode?
    /// Retains errors until the lock is released.
    var errors: [any Error] = []
    var resumptions: [CancellableWait.Resumption] = []

    mutating func noteUnsent(_ count: Int) {
      if count > 0 { unsent.append(count) }
    }
  }

  package let subject: DiagnosticSubject
  let retry: Backoff
  let whenBusy: RefreshLoop.WhenBusy
  let isOwned: Bool
  package let keys: KeyedCoalescer<KeyRun, Void>
  private let forget: (KeyRun) -> Void
  // SAFETY: the state is used under the lock of the gates only, so no two accesses overlap.
  /// The state of the loop. Tasks are created, resumed, cancelled and released after the lock is released.
  @exclusivity(unchecked) private var state: State

  /// - Parameters:
  ///   - limit: The largest number of runs at a time.
  ///   - forget: A function that removes a quiet key from the index. It is called under the lock.
  ///   - start: The function that creates the task of a run; nil for a hosted loop.
  @usableFromInline package init(
    on scheduler: some EventScheduler, policy: CoalescingPolicy, whenBusy: RefreshLoop.WhenBusy,
    retry: Backoff, _ subject: DiagnosticSubject, limit: Int, forget: @escaping (KeyRun) -> Void,
    start: Start?
  ) {
    self.subject = subject
    self.retry = retry
    self.whenBusy = whenBusy
    self.forget = forget
    isOwned = start != nil
    // The engine refers to this object weakly, and may be woken while this object is being deallocated.
    // Nothing is pending at that time.
    let box = Guarded<WeakHandle<KeyedRuns>?>(nil)
    let restarts = whenBusy == .restart
    keys = KeyedCoalescer(
      on: scheduler, policy: policy.makingRuns(whenBusy.traits), fresh: (), subject, isolation: nil,
      serve: { keys, start in
        keys.serve(start) { key, _ in
          restarts ? key.state.takeTask() : nil
        } deliver: { key, task in
          task?.cancel()
          box.withLock { $0?.object }?.dropIgnored(key)
          return 0
        }
        box.withLock { $0?.object }?.change { _, _, _ in }
      },
      lose: { ticket in box.withLock { $0?.object }?.lose(alarm: ticket) }, forget: forget)
    unsafe state = State(loop: LoopState(start.map { TaskCreation(create: $0) }), limit: max(1, limit))
    retry.flagIfNotANumber(subject)
    if limit < 1 { subject.misuse.flag(.runsBelowOne(limit, of: subject)) }
    box.withLock { $0 = WeakHandle(self) }
  }

  // MARK: Changes

  /// Changes the gates and the state in one step, and performs the effects after the lock is released.
  @discardableResult func change<Result>(
    _ body: (_ gates: inout Gates, _ state: inout State, _ effects: inout Effects) -> Result
  ) -> Result {
    var effects = Effects()
    let result = keys.withLock { gates in
      let result = unsafe body(&gates, &state, &effects)
      unsafe complete(&gates, &state, &effects)
      return result
    }
    perform(&effects)
    return result
  }

  /// Adds the effects that follow from the state after a change. Called under the lock, as a part of the
  /// change.
  private func complete(_ gates: inout Gates, _ state: inout State, _ effects: inout Effects) {
    if case .owned(let creation) = state.loop.mode {
      while state.taskCount < state.limit, let key = gates.takeReady() {
        state.taskCount += 1
        effects.starts.append((creation, key, key.state.priorities.take()))
      }
    }
    let (isPending, isRunning) = (gates.pendingCount > 0, !state.running.isEmpty)
    if state.loop.isFinishing && !isPending && !isRunning { markEnded(&state, &effects) }
    let isDue = state.failure != nil || state.taskCount < state.limit && gates.readyCount > 0
    effects.resumptions += state.loop.endReached(isPending: isPending, isRunning: isRunning, isDue: isDue)
    if gates.needsEffects { effects.gates = gates.takeEffects() }
    checkInvariants(gates, state)
  }

  /// Ends the loop, so that no further run begins. The caller has dropped all pending runs.
  func markEnded(_ state: inout State, _ effects: inout Effects) {
    if let mode = state.loop.end() { effects.endedMode = mode }
  }

  private func perform(_ effects: inout Effects) {
    if let effects = effects.gates { keys.perform(effects) }
    for task in effects.cancelled { task.cancel() }
    for start in effects.starts { start.creation.create(self, start.key, start.priority) }
    for unsent in effects.unsent { keys.source?.discard(unsent) }
    if effects.endedMode != nil { keys.source?.end() }
    for resumption in effects.resumptions { resumption() }
    // The body, keys and errors are released here, under no lock.
    withExtendedLifetime(effects) {}
  }

  /// Accepts a request for a key, and changes the state in the same step.
  ///
  /// - Parameters:
  ///   - find: A function that finds the key, or adds it. It is called under the lock.
  ///   - isAdmitted: A function that returns whether the request goes to the gate of the key.
  ///   - note: A function that receives whether the gate has accepted the request.
  func accept(
    _ find: () -> KeyRun, if isAdmitted: (KeyRun, State, inout Effects) -> Bool = { _, _, _ in true },
    noting note: (KeyRun, inout Gates, _ isAccepted: Bool, inout Effects) -> Void = { _, _, _, _ in }
  ) {
    var now = keys.readsClock ? keys.turns.now : nil
    let priority = isOwned ? Task.currentPriority : nil
    var effects = Effects()
    // These keys are released when this method returns, after the lock is released.
    var (passed, earlier, found): (Gates.Passed?, KeyRun?, KeyRun?)
    defer { withExtendedLifetime((passed, earlier, found)) {} }
    while true {
      let needsInstant = keys.withLock { gates -> Bool in
        if keys.hasNoAlarms, let now { passed = gates.forgetPassed(at: now) }
        // The second pass finds the key again, because the key may have been forgotten since the first pass.
        let key = find()
        (earlier, found) = (found, key)
        let signal =
          unsafe isAdmitted(key, state, &effects)
          ? gates.signal(key, at: now, if: { _ in true }) { _, _ in false } : .refused
        let isAccepted = signal == .accepted
        if isAccepted {
          if let priority { key.state.priorities.note(priority) }
          if keys.source != nil, let now { gates.note(key, at: now) }
        }
        if isAccepted || signal == .ignored { note(key, &gates, isAccepted, &effects) }
        if !isAccepted && signal != .needsInstant && gates.gate(key) == nil { forget(key) }
        // NB: the effects are taken once: taking them again would replace the effects that were taken first.
        if signal != .needsInstant && gates.needsEffects { unsafe complete(&gates, &state, &effects) }
        return signal == .needsInstant
      }
      guard needsInstant else { break }
      now = keys.turns.now
    }
    if effects.gates != nil { PendingLog.note(self, on: keys.turns.scheduler) }
    keys.noteIfEndless(self)
    perform(&effects)
  }

  /// Checks that the state of the loop and the gates of its keys are consistent.
  private func checkInvariants(_ gates: Gates, _ state: State) {
    invariant(state.running.count <= state.taskCount, "K4: a run in progress has a task")
    invariant(!state.loop.hasEnded || gates.pendingCount == 0, "K5: a loop that has ended begins no run")
    invariant(
      !isOwned || state.loop.hasEnded || state.taskCount >= state.limit || gates.readyCount == 0,
      "K4: a run that is due has a task, unless the limit is reached")
  }

  // MARK: The state

  func read<Result>(_ body: (Gates, State) -> Result) -> Result {
    keys.withLock { unsafe body($0, state) }
  }

  /// Whether a run of a key begins without a further request.
  @usableFromInline package func isPending(_ find: () -> KeyRun?) -> Bool {
    read { gates, _ in find().flatMap { gates.gate($0)?.isPending } ?? false }
  }

  /// Whether a run of a key is in progress.
  @usableFromInline package func isRunning(_ find: () -> KeyRun?) -> Bool {
    read { _, _ in find()?.state.run != nil }
  }

  package var turns: TurnSource { keys.turns }
  var executor: (any TaskExecutor)? { turns.scheduler.taskExecutor }

  /// Records for diagnostics that a loop is released with requests pending and has never had a host (L7).
  func noteIfNeglected() {
    guard isDebugBuild else { return }
    if read({ $1.loop.isNeglected && $0.pendingCount > 0 }) { PendingLog.noteNeglected(subject) }
  }
}

extension KeyedRuns {
  package var isPending: Bool { keys.pendingCount > 0 }
  package var isRunning: Bool { read { !$1.running.isEmpty } }
  package var isEndless: Bool { read { $0.isEndless && $1.taskCount == 0 } }
  package var needsHost: Bool { read { $1.loop.isUnhosted && $0.pendingCount > 0 } }
  package var isPendingOrDelivering: Bool { read { $0.pendingCount > 0 || !$1.running.isEmpty } }
  package var pendingParts: String { keys.pendingParts }
  package var runningParts: String {
    KeyedCoalescer<KeyRun, Void>.clause(
      on: read { gates, _ in gates.orderedKeys.filter { $0.state.run != nil } })
  }
}

extension KeyedRuns: AwaitedRuns {
  package var isCallerInsideRun: Bool {
    guard let number = RunScope.number(ofRunOf: self) else { return false }
    return read { $1.running.contains(number) }
  }

  package func add(_ wait: LoopWait, _ resume: @escaping CancellableWait.Resume) {
    change { _, state, effects in effects.resumptions.add(state.loop.waits.add(wait, resume)) }
  }

  package func remove(_ wait: LoopWait) {
    change { _, state, effects in effects.resumptions.add(state.loop.waits.cancel(wait)) }
  }
}

// SAFETY: the function that creates tasks captures only `Sendable` values, so any thread may call it. The
// state is used under the lock of the gates. All other properties are immutable.
extension KeyedRuns: @unchecked Sendable {}
