internal import Dispatch
internal import Observation

/// An event that triggers when a property of an observable model changes.
///
/// A closure reads the properties. Any change of a property that it has read is a trigger, so the closure can
/// read several models:
///
/// ```swift
/// let didChange = ObservationEvent(on: .main) { _ = (document.title, settings.font) }
/// let token = didChange.addObserver { _ in print(document.title) }
/// ```
///
/// Observation announces one change, before the value is written. The event therefore runs the closure again
/// on the next turn of its scheduler, so that the next change is announced, and at the latest before it
/// notifies. The observers see the new values.
///
/// The model belongs to the scheduler: its properties change there. See <doc:ObservingAnObservableModel> for
/// a model that other threads change.
///
/// It is a ``LazySimpleEvent``, so it can be triggered directly. The closure keeps its captures alive until
/// the event is deallocated.
///
/// Contracts: O1 to O4, and those of a lazy event, see <doc:Contracts>.
public final class ObservationEvent: LazySimpleEvent, @unchecked Sendable {
  // SAFETY: as its superclass. The block runs on the scheduler, and never overlaps itself: a change makes the
  // latest run outdated after the block has returned, and the lock gives the next run to one thread.

  private struct State {
    /// Whether a property has changed since the latest run of the block, so that changes are no longer
    /// announced.
    var isOutdated: Bool = true
    /// The number of runs that have begun. The latest run has this number.
    var begun: Int = 0
    /// The number of runs that have ended. On a concurrent queue, a run may begin before the previous run has
    /// ended.
    var ended: Int = 0
    /// Whether a turn arrived while another thread was running the block. It is requested again after the
    /// run.
    var hasTurn: Bool = false

    var isRunning: Bool { begun > ended }
  }

  /// Guards the state. The block runs after the lock is released.
  private let state: Guarded<State> = Guarded(State())
  private let origin: BlockIsolation
  // SAFETY: it changes in `deinit` only.
  private var block: StoredAction?
  private let lifetime: DeallocationMarker = DeallocationMarker()
  /// The runs whose observations are being stored in the models.
  private let armingRuns: DispatchGroup = DispatchGroup()

  /// Creates an event, and runs the block for the first time.
  ///
  /// If the caller is not on the scheduler, the block runs on the next turn, and the event notifies once
  /// then, because the model may have changed before.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which the block runs and observers are called, and whose clock measures
  ///     windows.
  ///   - policy: The rule by which changes become notifications.
  ///   - label: The name of the event in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: Reads the properties to observe; called again after each change. If it is isolated to an
  ///     actor, the scheduler must deliver on that actor (E9).
  public init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @isolated(any) () -> Void
  ) {
    origin = BlockIsolation(block.isolation, at: CallSite(fileID: fileID, line: line))
    self.block = StoredAction(block)
    super.init(on: scheduler, policy: policy, label: label, misuse: misuse, fileID: fileID, line: line)
    if scheduler.isCurrent {
      rearm(notifies: false)
    } else {
      signalOutdated()
    }
  }

  deinit {
    // An observation can only be ended by a change.
    lifetime.end()
    guard lifetime.isAnnouncing else { return }
    // The setter of a model may be releasing the last reference, under its lock.
    let rest = DeferredRelease(block, list.close())
    block = nil
    turns.scheduler.schedule { rest.release() }
  }

  /// Drops the pending notification and closes the window. The next change opens a new one.
  ///
  /// Call it on the scheduler. Called elsewhere, it may be followed by a notification of a change before it:
  /// until the block has run again, Observation announces no later change, which must not be lost.
  public override func cancel() {
    super.cancel()
    // Changes after the cancellation are not part of it.
    if turns.scheduler.isCurrent { rearm(notifies: false) }
  }

  public override func flush() {
    rearm()
    super.flush()
  }

  package override func wake(_ cause: WakeCause) {
    switch cause {
    case .turn: if rearm() { super.wake(cause) }
    // The block runs before the notification, which waits for the next turn while another thread is running
    // the block.
    case .alarm: wake(cause, isHere: rearm())
    case .lostTurn, .lostAlarm: super.wake(cause)
    }
  }

  /// Handles the announcement that a property which a run has read is about to change. Called on any thread.
  ///
  /// Several threads may announce changes to one run. The first announcement makes the run outdated. A later
  /// one may come when the next run has begun. The notification after that run shows its change.
  private func handleChange(after run: Int) {
    // NB: if a change is announced while an observation is being stored, Observation does not find all parts
    // of the observation to remove. The models would keep the others, and announce every later change to
    // them.
    //
    // The wait is short and ends, though the caller may hold locks of the program: the block has returned, so
    // the other thread takes only Observation's locks, which no announcement holds, and calls no code of the
    // program.
    armingRuns.wait()
    let isFirst = state.withLock { state in
      guard run == state.begun && !state.isOutdated else { return false }
      state.isOutdated = true
      return true
    }
    if isFirst { signalOutdated() } else { trigger() }
  }

  /// Asks for a turn, on which the block runs, and for a notification.
  private func signalOutdated() {
    turns.ask(for: self)
    trigger()
  }

  /// Runs the block if it is outdated, so that the next change is announced.
  ///
  /// - Parameter notifies: Whether a notification follows the run. Observation begins to announce changes
  ///   when the block has returned, and the notification shows the observers a change between the block's
  ///   reading and that instant.
  /// - Returns: False if another thread is running the block. The caller's turn comes again after that run,
  ///   since a notification before its end would be followed by another one.
  @discardableResult private func rearm(notifies: Bool = true) -> Bool {
    let (run, isRunning) = state.withLock { state -> (Int?, Bool) in
      guard state.isOutdated else {
        state.hasTurn = state.isRunning
        return (nil, state.isRunning)
      }
      state.isOutdated = false
      state.begun += 1
      return (state.begun, true)
    }
    guard let run else { return !isRunning }
    runBlock(run)
    // The notification that the change requested may have been sent before the run.
    if notifies && !isPending { trigger() }
    let hasTurn = state.withLock { state in
      state.ended += 1
      defer { state.hasTurn = false }
      return state.hasTurn
    }
    if hasTurn { turns.ask(for: self) }
    return true
  }

  private func runBlock(_ run: Int) {
    origin.flagIfOffActor(list.subject)
    let handle = WeakHandle(self)
    withObservationTracking {
      block?.call()
      lifetime.read()
      armingRuns.enter()
    } onChange: {
      // On the thread that writes the change, which may hold a lock of the program.
      var event = handle.object
      event?.lifetime.announce {
        event?.handleChange(after: run)
        event = nil
      }
    }
    armingRuns.leave()
  }
}
