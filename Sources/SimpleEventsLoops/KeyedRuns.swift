package import SimpleEvents

/// The runs of all keys of one loop: the state of the loop and of its keys, under one lock, and the effects
/// of each change.
///
/// The gate of a key works as the gate of a loop, see ``LoopRuns``. If a run of a key is due, the key is in
/// line, and it leaves the line when a task is free to make the run (K4). As in the `workqueue` of
/// Kubernetes, a key that is requested during its run goes to the end of the line when the run has ended. A
/// key is in line once, however often it is requested.
package final class KeyedRuns<Key: Hashable & Sendable> {
  /// A function that creates the task of a run of a key, with a priority if the priority is known.
  package typealias Start = (KeyedRuns, Key, TaskPriority?) -> Void
  typealias Gates = KeyedGates<Key, KeyRun?>

  struct State {
    var mode: LoopMode<Start>
    /// The largest number of tasks that make runs at the same time.
    var limit: Int
    /// The number of tasks that have taken a key from the line and have not ended.
    var taskCount: Int = 0
    /// Whether the loop ends after the runs that are pending or in progress.
    var isFinishing: Bool = false
    /// The numbers of the runs in progress.
    var running: Set<Int> = []
    /// The number of runs that have begun.
    var count: Int = 0
    /// The error that ends the host; nil if there is none.
    var failure: (any Error)?
    /// The tasks that wait for a run or for the end of runs.
    var waits: WaitList<LoopWait> = WaitList()
    /// Whether a host has ever come.
    var wasHosted: Bool = false
  }

  /// The effects of a change, which are performed after the lock is released.
  struct Effects {
    /// The tasks to be cancelled.
    var cancelled: [LoopTask] = []
    /// The keys whose tasks are to be created.
    var starts: [(start: Start, key: Key, priority: TaskPriority?)] = []
    /// The number of dropped requests, for a monitor.
    var unsent: Int = 0
    /// The mode before the end of the loop, to be released.
    var endedMode: LoopMode<Start>?
    /// Keys and errors, to be released.
    var keys: [Key] = []
    var errors: [any Error] = []
    var resumptions: [CancellableWait.Resumption] = []
  }

  package let subject: DiagnosticSubject
  let retry: Backoff
  let whenBusy: RefreshLoop.WhenBusy
  let isOwned: Bool
  package let keys: KeyedCoalescer<Key, KeyRun?>
  // SAFETY: used under the lock of the gates only, so no two accesses overlap.
  /// The state of the loop. Tasks are created, resumed, cancelled and released after the lock is released.
  @exclusivity(unchecked) private var state: State

  /// - Parameters:
  ///   - limit: The largest number of runs at a time.
  ///   - start: The function that creates the task of a run; nil for a hosted loop.
  package init(
    on scheduler: some EventScheduler, policy: CoalescingPolicy, whenBusy: RefreshLoop.WhenBusy = .rerun,
    retry: Backoff = .never, _ subject: DiagnosticSubject, limit: Int, start: Start?
  ) {
    self.subject = subject
    self.retry = retry
    self.whenBusy = whenBusy
    isOwned = start != nil
    // The engine may be woken while this object is being deallocated. Nothing is pending at that time.
    let box = Guarded<WeakHandle<KeyedRuns>?>(nil)
    let restarts = whenBusy == .restart
    keys = KeyedCoalescer(
      on: scheduler, policy: policy.makingRuns(whenBusy.traits), fresh: nil, subject, isolation: nil,
      serve: { keys, start in
        keys.serve(start) { run in
          restarts ? run?.takeTask() : nil
        } deliver: { key, task in
          task?.cancel()
          box.withLock { $0?.object }?.dropIgnored(key)
          return 0
        }
        box.withLock { $0?.object }?.change { _, _, _ in }
      },
      lose: { ticket in box.withLock { $0?.object }?.lose(alarm: ticket) })
    unsafe state = State(mode: start.map { .owned($0) } ?? .unhosted, limit: max(1, limit))
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
    let (result, needsEffects) = keys.withLock { gates in
      let result = unsafe body(&gates, &state, &effects)
      unsafe complete(&gates, &state, &effects)
      return (result, gates.needsEffects)
    }
    if needsEffects { keys.perform() }
    perform(&effects)
    return result
  }

  /// Adds the effects that follow from the state after a change. Called under the lock, as a part of the
  /// change.
  private func complete(_ gates: inout Gates, _ state: inout State, _ effects: inout Effects) {
    if case .owned(let start) = state.mode {
      while state.taskCount < state.limit, let key = gates.takeReady() {
        state.taskCount += 1
        effects.starts.append((start, key, gates.payload(key)??.priorities.take()))
      }
    }
    if state.isFinishing && state.running.isEmpty && gates.pendingCount == 0 { markEnded(&state, &effects) }
    if !state.waits.isEmpty {
      let (isSettled, isPending) = (state.running.isEmpty && gates.pendingCount == 0, gates.pendingCount > 0)
      let (mode, isIdle, isFinishing) = (state.mode, state.running.isEmpty, state.isFinishing)
      let hasWork = state.failure != nil || state.taskCount < state.limit && gates.readyCount > 0
      effects.resumptions += state.waits.end { wait in
        switch wait.goal {
        case .settled: isSettled
        // A further host may never come.
        case .finished: isIdle && (!isPending || isFinishing && mode.isUnhosted)
        case .run(let task): !mode.isHost(task) || hasWork
        }
      }
    }
    checkInvariants(gates, state)
  }

  /// Ends the loop, so that no further run begins. The caller has dropped all pending runs.
  func markEnded(_ state: inout State, _ effects: inout Effects) {
    guard !state.mode.hasEnded else { return }
    effects.endedMode = state.mode
    state.mode = .ended
  }

  func perform(_ effects: inout Effects) {
    for task in effects.cancelled { task.cancel() }
    for (start, key, priority) in effects.starts { start(self, key, priority) }
    if effects.unsent > 0 { keys.source?.discard(effects.unsent) }
    if effects.endedMode != nil { keys.source?.end() }
    for resumption in effects.resumptions { resumption() }
    // The body, keys and errors are released here, under no lock.
    withExtendedLifetime(effects) {}
  }

  /// Accepts a request for a key, and changes the state in the same step.
  ///
  /// - Parameters:
  ///   - isAdmitted: A function that returns whether the request goes to the gate of the key.
  ///   - note: A function that receives whether the gate has accepted the request.
  func accept(
    _ key: Key, if isAdmitted: (inout Gates, State, inout Effects) -> Bool = { _, _, _ in true },
    noting note: (inout Gates, _ isAccepted: Bool, inout Effects) -> Void = { _, _, _ in }
  ) {
    var now = keys.readsClock ? keys.turns.now : nil
    if let now { keys.forgetPassed(at: now) }
    let priority = isOwned ? Task.currentPriority : nil
    var effects = Effects()
    while true {
      let (signal, needsEffects) = keys.withLock { gates -> (KeyedSignal, Bool) in
        guard unsafe isAdmitted(&gates, state, &effects) else { return (.refused, false) }
        let signal = gates.signal(key, at: now, if: { _ in true }) { run, isAccepted in
          if run == nil { run = KeyRun() }
          if isAccepted, let priority { run?.priorities.note(priority) }
          return false
        }
        if signal == .needsInstant { return (signal, false) }
        if signal == .accepted, keys.source != nil, let now { gates.note(key, at: now) }
        note(&gates, signal == .accepted, &effects)
        if gates.needsEffects { unsafe complete(&gates, &state, &effects) }
        return (signal, gates.needsEffects)
      }
      if needsEffects {
        PendingLog.note(self, on: keys.turns.scheduler)
        keys.perform()
      }
      guard signal == .needsInstant else { return perform(&effects) }
      now = keys.turns.now
    }
  }

  /// Checks that the state of the loop and the gates of its keys are consistent.
  private func checkInvariants(_ gates: Gates, _ state: State) {
    invariant(state.running.count <= state.taskCount, "K4: a run in progress has a task")
    invariant(!state.mode.hasEnded || gates.pendingCount == 0, "K5: a loop that has ended begins no run")
    invariant(
      !isOwned || state.mode.hasEnded || state.taskCount >= state.limit || gates.readyCount == 0,
      "K4: a run that is due has a task, unless the limit is reached")
  }

  // MARK: The state

  func read<Result>(_ body: (Gates, State) -> Result) -> Result {
    keys.withLock { unsafe body($0, state) }
  }

  /// Whether a run of a key is in progress.
  func isRunning(_ key: Key) -> Bool { read { gates, _ in gates.payload(key)??.run != nil } }

  var executor: (any TaskExecutor)? { keys.turns.scheduler.taskExecutor }
}

extension KeyRun {
  /// Takes the task of the run in progress for a cancellation; returns nil if the task was taken before.
  func takeTask() -> LoopTask? {
    guard run?.isCancelled == false else { return nil }
    run?.isCancelled = true
    return run?.task
  }
}

extension KeyedRuns: PendingObject {
  package var isPending: Bool { keys.pendingCount > 0 }
  package var isRunning: Bool { read { !$1.running.isEmpty } }
  package var needsHost: Bool { read { $1.mode.isUnhosted && $0.pendingCount > 0 } }
  package var isPendingOrDelivering: Bool { read { $0.pendingCount > 0 || !$1.running.isEmpty } }
  package var pendingParts: String { keys.pendingParts }
  package var runningParts: String {
    KeyedCoalescer<Key, KeyRun?>.clause(
      on: read { gates, _ in gates.orderedKeys.filter { gates.payload($0)??.run != nil } })
  }
}

extension KeyedRuns: AwaitedRuns {
  package var isCallerInsideRun: Bool {
    guard let number = RunScope.number(ofRunOf: self) else { return false }
    return read { $1.running.contains(number) }
  }

  package func add(_ wait: LoopWait, _ resume: @escaping CancellableWait.Resume) {
    change { _, state, effects in
      if let resumption = state.waits.add(wait, resume) { effects.resumptions.append(resumption) }
    }
  }

  package func remove(_ wait: LoopWait) {
    change { _, state, effects in
      if let resumption = state.waits.cancel(wait) { effects.resumptions.append(resumption) }
    }
  }
}

// SAFETY: the function that creates tasks captures only `Sendable` values, so any thread may call it. The
// state is used under the lock of the gates. All other properties are immutable.
extension KeyedRuns: @unchecked Sendable {}
