internal import Dispatch
public import SimpleEvents
public import Synchronization

/// Performs steps one at a time, in the order in which they are submitted. Any thread may submit a step.
///
/// Each subject is such a queue, and so is each operator that has several sources. The queue ensures V1, V2
/// and V3. If no step is in progress, the thread that submits a step performs the step immediately. It then
/// *drains* the queue: it performs the steps that were queued in the meantime, by that step or by other
/// threads. No two steps therefore overlap, and the stack does not grow with their number.
///
/// No step is performed under the lock, and no thread waits for the step of another thread. A thread performs
/// at most ``foreignStepLimit`` steps of other threads in one call. A global queue performs the rest (V3).
///
/// A subclass passes each step together with a function that performs it, and overrides ``drain()``. The
/// lock, the phase and the queued steps belong to this class.
@safe @_fixed_layout @usableFromInline class StepQueue<Step>: Upstream, @unchecked Sendable {
  // SAFETY: steps carry values and closures that need not be `Sendable`. The lock guards the steps, and they
  // are performed one at a time. Each subclass states the threads that perform its steps.

  /// The queued steps, and the state that a subclass rarely needs; nil until one of them is needed.
  ///
  /// SAFETY: the property is set once, under the lock or by an initialiser, and is used under the lock only,
  /// so no two accesses overlap. The object is retained until the deinit. For each value, a check of the
  /// accesses at run time would cost as much as the lock, and so would a retain and a release.
  // NB: this is the first property, so that the small properties after it share a word with the small
  // properties of a subclass.
  @exclusivity(unchecked) @usableFromInline final var details: Unmanaged<StepQueueDetails<Step>>?
  /// Guards the queued steps, and the state of a subclass if that state changes together with the order of
  /// the steps. The value is the performing thread, or the last thread that performed a step. It is nil
  /// before the first step, and after a thread has left steps to a global queue, until that queue performs
  /// them.
  ///
  /// The performing thread makes the queue idle without the lock; see `phase`.
  @usableFromInline let performingThread: Guarded<ThreadIdentity?>
  /// The current phase of the queue.
  ///
  /// The phase leaves `idle`, and becomes `queued`, only under the lock. If the phase is `performing` after a
  /// step, the thread changes it to `idle` by a compare-exchange without the lock. The exchange releases all
  /// writes of the thread, and the next thread acquires them by the load that finds the queue idle. A thread
  /// that queues a step changes `performing` to `queued` by a compare-exchange. This exchange fails if the
  /// queue is already idle, so that no step is left behind.
  @usableFromInline let phase: Atomic<StepQueuePhase>

  /// - Parameter details: The details, if the subclass needs them from the start; nil to create them when
  ///   they are first needed.
  @inlinable init(details: StepQueueDetails<Step>? = nil) {
    unsafe self.details = details.map { unsafe Unmanaged.passRetained($0) }
    performingThread = Guarded(nil)
    phase = Atomic(.idle)
    super.init()
  }

  deinit { unsafe details?.release() }

  /// The details. If there are none, the access creates them. Used under the lock.
  @inlinable final var presentDetails: Unmanaged<StepQueueDetails<Step>> {
    if let details = unsafe details { return unsafe details }
    let details = unsafe Unmanaged.passRetained(makeDetails())
    unsafe self.details = unsafe details
    return unsafe details
  }

  /// Calls a body with the queued steps. Used under the lock.
  @inlinable @inline(__always) final func withQueued<Result>(
    _ body: (inout Fifo<QueuedStep<Step>>) -> Result
  ) -> Result {
    unsafe presentDetails._withUnsafeGuaranteedRef { unsafe body(&$0.queued) }
  }

  /// Makes the details. A subclass that adds state to the details overrides this method.
  @usableFromInline func makeDetails() -> StepQueueDetails<Step> { StepQueueDetails() }

  /// Performs the queued steps. A subclass calls ``drain(_:)`` with a function that performs any step.
  @usableFromInline func drain() { preconditionFailure("each subclass overrides this method") }

  /// Performs a step now, or queues it for the thread that is performing another step.
  ///
  /// - Parameters:
  ///   - step: The step. It is created only if it is queued.
  ///   - isUrgent: Whether the step comes before all queued steps.
  ///   - isAdmitted: Called under the lock. If it returns false, the step has no effect.
  ///   - perform: Performs this step, under no lock.
  /// - Complexity: O(1), plus the steps that are performed.
  @inlinable @inline(__always) final func submit(
    _ step: @autoclosure () -> Step, isUrgent: Bool = false, if isAdmitted: () -> Bool = { true },
    perform: () -> Void
  ) {
    let outcome = performingThread.withLock { performingThread -> StepOutcome in
      defer { checkInvariants(performingThread) }
      guard isAdmitted() else { return .returns }
      return begin(&performingThread) ? .performs : enqueue(&performingThread, step(), isUrgent: isUrgent)
    }
    proceed(outcome, perform: perform)
  }

  /// Performs a step now, or queues it, possibly in place of the last queued step.
  ///
  /// - Parameters:
  ///   - step: The step. It is created only if it is queued.
  ///   - admission: Returns the kind of the step; `refused` if it has no effect. Called under the lock.
  ///   - perform: Performs this step, under no lock.
  /// - Complexity: O(1), plus the steps that are performed.
  // NB: this method is separate from the method above. The method above reserves no stack for a replaced
  // step, and needs no metadata of the step in unspecialised code.
  @inlinable @inline(__always) final func submit(
    _ step: @autoclosure () -> Step, admission: () -> StepAdmission, perform: () -> Void
  ) {
    // The replaced step is released when this method returns, after the lock is released.
    var replaced: QueuedStep<Step>?
    let outcome = performingThread.withLock { performingThread -> StepOutcome in
      defer { checkInvariants(performingThread) }
      let admission = admission()
      guard admission != .refused else { return .returns }
      if begin(&performingThread) { return .performs }
      return enqueue(
        &performingThread, step(), isReplaceable: admission == .replaceable, replacing: &replaced)
    }
    proceed(outcome, perform: perform)
    withExtendedLifetime(replaced) {}
  }

  @inlinable @inline(__always) final func proceed(_ outcome: StepOutcome, perform: () -> Void) {
    switch outcome {
    case .performs:
      perform()
      if !finish() { drain() }
    case .returns: break
    case .yields: ThreadIdentity.yieldProcessor()
    case .sleeps: ThreadIdentity.sleepForMillisecond()
    }
  }

  /// Reads or changes the state that the lock guards for a subclass.
  @inlinable @inline(__always) final func synchronized<Result>(_ body: () -> Result) -> Result {
    performingThread.withLock { _ in body() }
  }

  /// Takes and performs the queued steps one by one, because most callers find few steps. One call performs
  /// at most ``foreignStepLimit`` steps of other threads. A global queue performs the rest.
  ///
  /// - Parameter perform: Performs a step of any kind, under no lock. The subclass creates this closure, so
  ///   that it is specialised for the values.
  @inlinable @inline(__always) final func drain(_ perform: @escaping (Step) -> Void) {
    var budget = foreignStepLimit
    while case .some(let step) = next(&budget) {
      perform(step)
      if finish() { return }
    }
    continueOnGlobalQueue { [self] in drainAll(perform) }
  }

  /// Performs the queued steps on a global queue, where no caller is held up. Each round takes all queued
  /// steps, until no step is left.
  @inlinable @inline(__always) final func drainAll(_ perform: (Step) -> Void) {
    var steps = Fifo<QueuedStep<Step>>()
    repeat {
      takeAll(&steps)
      while let next = steps.popFirst() {
        perform(next.step)
        // The load is relaxed, because `takeFirst` takes the step under the lock. An urgent step that the
        // load misses is taken later.
        while phase.load(ordering: .relaxed) == .urgent { perform(takeFirst()) }
      }
    } while !finish()
  }

  /// Makes the caller the performing thread, if the queue is idle. Called under the lock.
  @inlinable @inline(__always) final func begin(_ performingThread: inout ThreadIdentity?) -> Bool {
    guard phase.load(ordering: .acquiring) == .idle else { return false }
    phase.store(.performing, ordering: .relaxed)
    performingThread = .current
    return true
  }

  /// Makes the queue idle after a step if no other step is queued; returns whether it is idle.
  @inlinable @inline(__always) final func finish() -> Bool {
    // The load is relaxed. If it returns `queued` or `urgent`, steps are still queued, because only the
    // performing thread takes steps.
    guard phase.load(ordering: .relaxed) == .performing else { return false }
    return phase.compareExchange(
      expected: .performing, desired: .idle, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
  }

  @usableFromInline @inline(never) final func enqueue(
    _ performingThread: inout ThreadIdentity?, _ step: @autoclosure () -> Step, isUrgent: Bool
  ) -> StepOutcome {
    var replaced: QueuedStep<Step>?
    return enqueue(&performingThread, step(), isUrgent: isUrgent, isReplaceable: false, replacing: &replaced)
  }

  /// Queues a step after the current one, unless the queue has become idle. Called under the lock.
  @inlinable @inline(never) final func enqueue(
    _ performingThread: inout ThreadIdentity?, _ step: Step, isUrgent: Bool = false, isReplaceable: Bool,
    replacing replaced: inout QueuedStep<Step>?
  ) -> StepOutcome {
    // Relaxed, because the phase leaves the states with queued steps only under the lock.
    if !phase.load(ordering: .relaxed).hasSteps {
      let (_, former) = phase.compareExchange(
        expected: .performing, desired: .queued, ordering: .acquiringAndReleasing)
      if former == .idle {
        // The thread that performed the steps has set the phase to `idle`.
        phase.store(.performing, ordering: .relaxed)
        performingThread = .current
        return .performs
      }
    }
    let isForeign = performingThread != .current
    let new = QueuedStep(step: step, isForeign: isForeign, isReplaceable: isReplaceable, isUrgent: isUrgent)
    return withQueued { queued in
      if isUrgent {
        queued.prepend(new)
        phase.store(.urgent, ordering: .relaxed)
      } else if isReplaceable, let last = queued.last, last.isReplaceable {
        replaced = last
        queued.last = new
      } else {
        queued.append(new)
        let count = queued.count
        if count.isMultiple(of: yieldInterval) { return isForeign && count >= sleepCount ? .sleeps : .yields }
      }
      return .returns
    }
  }

  /// Removes and returns the first queued step, for the performing thread. Returns nil if the thread has
  /// performed as many steps of other threads as it may.
  @inlinable final func next(_ budget: inout Int) -> Step? {
    performingThread.withLock { performingThread -> Step? in
      if withQueued({ $0.first!.isForeign }) {
        guard budget > 0 else {
          performingThread = nil
          return nil
        }
        budget -= 1
      }
      return .some(popFirst(performingThread))
    }
  }

  /// Removes and returns the first queued step.
  @inlinable final func takeFirst() -> Step { performingThread.withLock { popFirst($0) } }

  @inlinable final func popFirst(_ performingThread: ThreadIdentity?) -> Step {
    let step = withQueued { queued in
      let step = queued.popFirst()!.step
      let next: StepQueuePhase = queued.first.map { $0.isUrgent ? .urgent : .queued } ?? .performing
      phase.store(next, ordering: .relaxed)
      return step
    }
    checkInvariants(performingThread)
    return step
  }

  /// Exchanges the queued steps for an empty queue.
  @inlinable final func takeAll(_ steps: inout Fifo<QueuedStep<Step>>) {
    performingThread.withLock { performingThread in
      withQueued { swap(&$0, &steps) }
      phase.store(.performing, ordering: .relaxed)
      performingThread = .current
      checkInvariants(performingThread)
    }
  }

  /// Stops a debug build if the state violates an invariant. Called under the lock, after each change.
  @inlinable @inline(__always) final func checkInvariants(_ performingThread: ThreadIdentity?) {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      let phase = phase.load(ordering: .relaxed)
      let queued = unsafe details?.takeUnretainedValue().queued ?? Fifo()
      invariant(
        phase.hasSteps != queued.isEmpty,
        "V3: the phase of a step queue contradicts its queued steps")
      invariant(
        (phase == .urgent) == (queued.first?.isUrgent == true),
        "H3: the phase of a step queue and its first step do not agree on urgency")
      invariant(
        phase != .performing || performingThread != nil, "V2: no thread performs the step of a step queue")
      // A longer queue is not checked, because the check would make each step of a debug build O(n).
      guard queued.count <= invariantSize else { return }
      let last = queued.all.suffix(2).map(\.isReplaceable)
      invariant(last != [true, true], "V3: a queued step has not taken the place of the one before")
    #endif
  }

  @usableFromInline final func continueOnGlobalQueue(_ drain: @escaping () -> Void) {
    // SAFETY: the function performs the steps of this queue one at a time. Any thread may perform a step.
    nonisolated(unsafe) let drain = drain
    DispatchQueue.globalOfCaller.async { unsafe drain() }
  }
}
