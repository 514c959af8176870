/// The runs of one refresh loop: the thread-safe shell around a gate, behind a coalescer.
///
/// It performs the steps of the gate. A task is made by the function that the loop passes, so that the explorer can put a
/// turn of a queue in its place. The function, and the body with it, is released when the loop is stopped.
package final class RefreshRuns {
  /// Makes the task of a run, which calls ``begin(_:)``, and at its end ``end()``.
  package typealias Start = (RefreshRuns) -> any CancellableRun

  private struct State {
    var gate: RefreshGate
    /// Nil once the loop is stopped.
    var start: Start?
    /// The number of runs that were due so far, which identifies the latest.
    var number: Int = 0
    /// The task of the latest run, while it is active and can be cancelled.
    var run: (any CancellableRun)?
    /// The identity of the task that runs the body.
    var task: Int?
    /// The waits that have begun and are not over.
    var waits: [RefreshWait] = []
  }

  /// The action that follows a change of the state, performed after the lock.
  private enum Effect {
    case start(Start, number: Int)
    case cancel(any CancellableRun)
    case resume([CancellableWait.Resumption])
  }

  /// The loop in diagnostics.
  package let subject: DiagnosticSubject
  private let coalescer: Coalescer
  private let needsTask: Bool
  /// Guards the gate, the task and the waits. Tasks are made, resumed, cancelled and released after the lock.
  ///
  /// The coalescer's lock is taken inside it, never the other way round. Thus a delivery is pending, due or running for
  /// every holder of this lock, and is never between those states.
  private let state: Guarded<State>

  package init(
    on scheduler: some EventScheduler, policy: CoalescingPolicy, whenBusy: RefreshLoop.WhenBusy,
    _ subject: DiagnosticSubject, start: @escaping Start
  ) {
    self.subject = subject
    coalescer = Coalescer(on: scheduler, policy: policy, subject)
    needsTask = whenBusy == .restart
    state = Guarded(State(gate: RefreshGate(whenBusy: whenBusy), start: start))
  }

  /// Accepts a request, from any thread.
  @inline(__always) package func request() { coalescer.signal(for: self) }

  /// Records that the task of a run has begun.
  ///
  /// - Parameter task: The identity of the task.
  /// - Returns: Whether the task runs the body.
  package func begin(_ task: Int?) -> Bool {
    PendingLog.note(self, on: coalescer.turns.scheduler)
    return state.withLock { state in
      guard state.gate.begin() else { return false }
      state.task = task
      return true
    }
  }

  /// Records that the task of a run has nothing more to do, after its error has been reported.
  package func end() {
    let (run, effect) = state.withLock { state -> ((any CancellableRun)?, Effect?) in
      let step = state.gate.end(isDeliveryPending: !coalescer.isQuiet)
      state.task = nil
      defer { state.run = nil }
      return (state.run, reaction(to: step, &state))
    }
    perform(effect)
    // The task is released here, after the lock.
    withExtendedLifetime(run) {}
  }

  /// Drops what is pending and lets no further run begin.
  ///
  /// Idempotent. A run in progress goes on.
  package func stop() {
    let start = state.withLock { state -> Start? in
      state.gate.stop()
      defer { state.start = nil }
      return state.start
    }
    coalescer.close()
    perform(state.withLock { reaction(to: nil, &$0) })
    // The body is released here, after the lock.
    withExtendedLifetime(start) {}
  }

  /// Whether a delivery comes without a further request.
  package var isPending: Bool { coalescer.isPending }

  /// Whether a run is in progress, or its task has been made.
  package var isRunning: Bool { state.withLock { $0.gate.isActive } }

  /// Whether a task with this identity runs the body.
  func isRun(by task: Int?) -> Bool { state.withLock { $0.gate.isRunning && task != nil && $0.task == task } }

  /// Whether nothing runs and nothing is pending.
  package var isSettled: Bool { state.withLock { isSettled($0) } }

  /// Begins a wait for the instant at which nothing runs and nothing is pending.
  package func begin(_ wait: RefreshWait, _ resume: @escaping CancellableWait.Resume) {
    let resumption = state.withLock { state -> CancellableWait.Resumption? in
      if let resumption = wait.state.begin(resume) { return resumption }
      guard !isSettled(state) else { return wait.state.end(.reached) }
      state.waits.append(wait)
      return nil
    }
    resumption?()
  }

  /// Ends a wait, also one that begins later.
  package func cancel(_ wait: RefreshWait) {
    let resumption = state.withLock { state -> CancellableWait.Resumption? in
      guard let resumption = wait.state.end(.cancelled) else { return nil }
      state.waits.removeAll { $0 === wait }
      return resumption
    }
    resumption?()
  }

  private func isSettled(_ state: State) -> Bool {
    state.gate.isSettled(isDeliveryPending: !coalescer.isQuiet)
  }

  /// The effect of a step of the gate. Called under the lock, with the change that it follows from.
  private func reaction(to step: RefreshGate.Step?, _ state: inout State) -> Effect? {
    switch step {
    case .start:
      state.number += 1
      return state.start.map { .start($0, number: state.number) }
    case .cancel:
      // A task that has not been stored yet is cancelled by the thread that makes it.
      return state.run.map { .cancel($0) }
    case nil:
      guard !state.waits.isEmpty && isSettled(state) else { return nil }
      defer { state.waits = [] }
      return .resume(state.waits.compactMap { $0.state.end(.reached) })
    }
  }

  private func perform(_ effect: Effect?) {
    switch effect {
    case .start(let start, let number):
      let run = start(self)
      guard needsTask else { return }
      let isCancelled = state.withLock { state in
        // The run may have ended already, and another one may have begun.
        guard state.gate.isActive && state.number == number else { return false }
        state.run = run
        return state.gate.isCancelled
      }
      if isCancelled { run.cancel() }
    case .cancel(let run): run.cancel()
    case .resume(let resumptions): for resumption in resumptions { resumption() }
    case nil: break
    }
  }
}

/// The task of a run.
package protocol CancellableRun: Sendable {
  func cancel()
}

extension Task: CancellableRun {}

extension RefreshRuns: Wakeable {
  package var isCallerInsideDelivery: Bool { isRun(by: currentTask()) }

  package func wake(_ cause: WakeCause) {
    let now = coalescer.instant(of: cause)
    let (wake, effect) = state.withLock { state -> (Coalescer.Wake, Effect?) in
      // NB: in one step with the gate, so that no waiter sees the loop between the two.
      let wake = coalescer.accept(cause, at: now)
      switch wake.effect {
      case .none: return (wake, nil)
      case .delivers: return (wake, reaction(to: state.gate.deliver(), &state))
      case .loses: return (wake, reaction(to: nil, &state))
      }
    }
    coalescer.perform(wake, for: self)
    perform(effect)
    if wake.effect == .delivers { coalescer.finish(for: self, subject) }
  }
}

// SAFETY: the function that makes tasks is called by one thread at a time: a run is due once the one before has ended. All other properties are immutable, atomic or behind a lock.
extension RefreshRuns: @unchecked Sendable {}

/// The identity of the current task, valid while the task lives; nil outside tasks.
func currentTask() -> Int? { unsafe withUnsafeCurrentTask { unsafe $0?.hashValue } }
