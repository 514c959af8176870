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
/// For a loop over the ``SimpleEventObservable/notifications`` that does not wait, the closure runs when the
/// loop asks for the next notification, and the change needs no turn (O1).
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

  /// The state of the properties that the latest run of the block has read.
  private enum Tracking {
    /// None has changed since the run. The next change is announced.
    case current
    /// One has changed, so that changes are no longer announced. The block runs again on a turn that was
    /// asked for.
    case outdated
    /// One has changed, and the next run and the notification are left to the iterators (O1).
    case left
  }

  private struct State {
    var tracking: Tracking = .outdated
    /// The number of runs that have begun. The latest run has this number.
    var begun: Int = 0
    /// The number of runs that have ended. On a concurrent queue, a run may begin before the previous run has
    /// ended.
    var ended: Int = 0
    /// Whether a turn arrived while another thread was running the block. It is requested again after the
    /// run.
    var hasTurn: Bool = false

    /// Whether a property has changed since the latest run of the block.
    var isOutdated: Bool { tracking != .current }

    var isRunning: Bool { begun > ended }

    /// Begins a run, and returns its number.
    mutating func begin() -> Int {
      tracking = .current
      begun += 1
      return begun
    }
  }

  /// Guards the state. The block runs after the lock is released.
  ///
  /// The lock of the list is taken inside this one, to find out whether a change is left to the iterators. An
  /// observer is added, an iterator begins to wait, and an iterator ends before ``takeBack()`` takes this
  /// lock. If `takeBack()` comes before the change, the change finds that observer or wait, or no iterator.
  /// If it comes after the change, it finds the change left.
  private let state: Guarded<State> = Guarded(State())
  private let origin: BlockIsolation
  // SAFETY: it changes in `deinit` only.
  private var block: StoredAction?
  /// Whether the policy lets a change be left to the iterators: no window begins with the change.
  private let mayLeave: Bool
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
    mayLeave = policy.interval == 0 && !policy.edges.isEmpty
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

  /// Whether a notification follows without a further change or trigger.
  ///
  /// True also while a change is left to the iterators (O1), and during a run of the block.
  public override var isPending: Bool { super.isPending || isLeftOrRunning }

  package override var isPendingOrDelivering: Bool { super.isPendingOrDelivering || isLeftOrRunning }

  private var isLeftOrRunning: Bool { state.withLock { $0.tracking == .left || $0.isRunning } }

  private var isLeft: Bool { state.withLock { $0.tracking == .left } }

  /// Drops the pending notification and closes the window. The next change opens a new one.
  ///
  /// Call it on the scheduler. Called elsewhere, it may be followed by a notification of a change before it:
  /// until the block has run again, Observation announces no later change, which must not be lost.
  public override func cancel() {
    takeBack()
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
    case .turn:
      guard rearm() else { return }
      super.wake(cause)
      // A change between the run and the delivery has found that this turn was asked for.
      if state.withLock({ $0.tracking == .outdated }) { askTurn() }
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
    let tracking = state.withLock { state -> Tracking in
      guard run == state.begun && !state.isOutdated else { return .current }
      state.tracking = mayLeave && !isWatched && list.hasOnlyIdleIterators ? .left : .outdated
      return state.tracking
    }
    switch tracking {
    case .current: trigger()
    case .outdated: signalOutdated()
    case .left: break
    }
  }

  /// Asks for a notification, and for a turn on which the block runs: the notification may come later, or be
  /// dropped.
  private func signalOutdated() {
    trigger()
    askTurn()
  }

  /// Sends the notification of a change that is left to the iterators, or asks for a turn if the caller is
  /// not on the scheduler. Called by an iterator before it takes.
  func sendLeft() {
    guard isLeft else { return }
    guard turns.isCurrent else { return takeBack() }
    guard let run = state.withLock({ $0.tracking == .left ? $0.begin() : nil }) else { return }
    notify {
      runBlock(run)
      endRun()
    }
  }

  /// Asks for the turn of a change that is left to the iterators, if there is one.
  func takeBack() {
    let isLeft = state.withLock { state in
      guard state.tracking == .left else { return false }
      state.tracking = .outdated
      return true
    }
    if isLeft { signalOutdated() }
  }

  override func didAddObserver() { takeBack() }

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
      return (state.begin(), true)
    }
    guard let run else { return !isRunning }
    runBlock(run)
    // The notification that the change requested may have been sent before the run.
    if notifies && !super.isPending { trigger() }
    endRun()
    return true
  }

  private func endRun() {
    let hasTurn = state.withLock { state in
      state.ended += 1
      defer { state.hasTurn = false }
      return state.hasTurn
    }
    if hasTurn { turns.ask(for: self) }
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
