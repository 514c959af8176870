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
/// The module Observation announces only the first change after a run of the closure, and announces it before
/// the value is written. The event therefore runs the closure again before it notifies, and on the next turn
/// of its scheduler at the latest, so that the next change is announced. The observers see the new values.
///
/// A change needs no turn if the policy is `.nextTurn`, the only observer is a loop over the
/// ``SimpleEventObservable/notifications``, the loop is not waiting, and no monitor sees the event. The
/// closure then runs when the loop requests the next notification (O1).
///
/// The properties of the model must change on the scheduler of the event. See
/// <doc:ObservingAnObservableModel> for a model that other threads change.
///
/// An observation event is a ``LazySimpleEvent``, so it can also be triggered directly. The closure keeps its
/// captures alive until the event is deallocated.
///
/// Contracts: O1 to O4, and those of a lazy event, see <doc:Contracts>.
public final class ObservationEvent: LazySimpleEvent, @unchecked Sendable {
  // SAFETY: the superclass is `Sendable`. The block runs on the scheduler, and never overlaps itself: a
  // change marks the latest run as outdated only after the block has returned, and the lock gives the next
  // run to one thread.

  /// The state of the properties that the latest run of the block has read.
  private enum Tracking {
    /// No property has changed since the run. The next change is announced.
    case current
    /// A property has changed, so later changes are not announced. The block runs again on a turn that was
    /// requested.
    case outdated
    /// A property has changed, and the next run and the notification are left to the iterators (O1).
    case left
    /// A property has changed, but no notification is requested yet. On a turn that was requested, the block
    /// runs and the event notifies. The change was left to the iterators, and was then taken back.
    case owed
  }

  private struct State {
    var tracking: Tracking = .outdated
    /// The number of runs that have begun. The latest run has this number.
    var begun: Int = 0
    /// The number of runs that have ended. On a concurrent queue, a run may begin before the previous run has
    /// ended.
    var ended: Int = 0
    /// Whether a turn arrived while another thread was running the block. That turn is requested again after
    /// the run.
    var hasTurn: Bool = false

    /// Whether a property has changed since the latest run of the block.
    var isOutdated: Bool { tracking != .current }

    /// Whether the next run of the block depends on a turn.
    var needsTurn: Bool { tracking == .outdated || tracking == .owed }

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
  /// While this lock is held, a change takes the lock of the list, to decide whether the change is left to
  /// the iterators. ``takeBack()`` is called after an observer is added, after an iterator has begun to wait,
  /// and after the registration of a sequence is removed. If `takeBack()` comes before the change, the change
  /// finds the new state of the observers and is not left to the iterators. If `takeBack()` comes after the
  /// change, it finds that the change is left, and requests a turn for it.
  private let state: Guarded<State> = Guarded(State())
  // SAFETY: the block is set in the initialiser, and changes only in `deinit`.
  private var block: StoredAction?
  /// Whether the policy allows a change to be left to the iterators, because no window begins with the
  /// change.
  private let mayLeave: Bool
  private let lifetime: DeallocationMarker = DeallocationMarker()
  /// The runs whose observations are being stored in the models.
  private let armingRuns: DispatchGroup = DispatchGroup()

  /// Creates an event, and runs the block for the first time.
  ///
  /// If the caller is not on the scheduler, the block runs on the next turn, and the event then notifies
  /// once, because the model may have changed in between.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which the block runs and observers are called, and whose clock measures
  ///     windows.
  ///   - policy: The rule by which changes become notifications.
  ///   - label: The name of the event in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: The closure that reads the properties to observe. It is called again after one or more
  ///     changes. If it is isolated to an actor, the scheduler must deliver on that actor (E9).
  public init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @isolated(any) () -> Void
  ) {
    self.block = StoredAction(block, at: CallSite(fileID: fileID, line: line))
    mayLeave = policy.interval == 0 && !policy.edges.isEmpty
    super.init(on: scheduler, policy: policy, label: label, misuse: misuse, fileID: fileID, line: line)
    if scheduler.isCurrent {
      rearm(notifies: false)
    } else {
      signalOutdated()
    }
  }

  deinit {
    // Observation drops a registration only when an observed property changes. The block also reads the
    // marker, so a change of the marker removes the registrations of this event.
    lifetime.end()
    guard lifetime.isAnnouncing else { return }
    // The setter of a model may be releasing the last reference to this event while it holds a lock.
    let rest = DeferredRelease(block, list.close())
    block = nil
    turns.scheduler.schedule { rest.release() }
  }

  /// Whether a notification follows without a further change or trigger.
  ///
  /// The property is also true while a change is left to the iterators (O1), and during a run of the block.
  // A run requests its notification before the run ends, so the state of the runs is read first.
  public override var isPending: Bool { isOwedOrRunning || super.isPending }

  package override var isPendingOrDelivering: Bool { isOwedOrRunning || super.isPendingOrDelivering }

  private var isOwedOrRunning: Bool {
    state.withLock { $0.tracking == .left || $0.tracking == .owed || $0.isRunning }
  }

  private var isLeft: Bool { state.withLock { $0.tracking == .left } }

  /// Drops the pending notification and closes the window. The next change opens a new window.
  ///
  /// Call this method on the scheduler, and not inside the block. Otherwise the event may still notify of a
  /// change that came before the call. The reason is that Observation announces no later change until the
  /// block has run again, and a later change must not be lost.
  public override func cancel() {
    takeBack()
    super.cancel()
    // The cancellation drops no later change. The block runs again, so that the next change is announced.
    if turns.scheduler.isCurrent {
      rearm(notifies: false)
    } else {
      dropOwed()
    }
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
      // A change between the run and the delivery has requested no turn, because this turn was still recorded
      // as requested.
      if state.withLock({ $0.needsTurn }) { askTurn() }
    // The block runs before the notification. If another thread is running the block, the notification waits
    // for the next turn.
    case .alarm: wake(cause, isHere: rearm())
    case .lostTurn, .lostAlarm:
      dropOwed()
      super.wake(cause)
      // A change that was taken back in the meantime relied on the turn that is lost.
      dropOwed()
    }
  }

  /// Handles the announcement of a change of a property that a run has read. Called on any thread.
  ///
  /// Several threads may announce changes of properties that one run has read. The first announcement marks
  /// the run as outdated. A later announcement may come when the next run has begun. The notification after
  /// the next run then covers the later change as well.
  private func handleChange(after run: Int) {
    // NB: if a change is announced while an observation is being stored, Observation does not remove all
    // parts of the observation. The other parts would stay in the models, and would receive every later
    // change.
    //
    // The wait is short and always ends, even if the caller holds locks of the program. The block has
    // returned, so the thread that stores the observation calls no code of the program. That thread takes
    // only the locks of Observation, and no thread holds one of those during an announcement.
    armingRuns.wait()
    let tracking = state.withLock { state -> Tracking in
      guard run == state.begun && !state.isOutdated else { return .current }
      state.tracking = mayLeave && !isWatched && list.hasOnlyIdleIterators ? .left : .outdated
      return state.tracking
    }
    switch tracking {
    case .current: trigger()
    case .outdated: signalOutdated()
    case .left, .owed: break
    }
  }

  /// Requests a notification, and a turn on which the block runs. The turn is needed because the policy may
  /// postpone the notification, and a cancellation may drop it.
  private func signalOutdated() {
    trigger()
    askTurn()
  }

  /// Sends the notification of a change that is left to the iterators, or requests a turn if the caller is
  /// not on the scheduler.
  ///
  /// An iterator calls this method before it takes notifications.
  func sendLeft() {
    guard isLeft else { return }
    guard turns.isCurrent else { return takeBack() }
    guard let run = state.withLock({ $0.tracking == .left ? $0.begin() : nil }) else { return }
    notify {
      runBlock(run)
      endRun()
    }
  }

  /// Requests a turn for a change that is left to the iterators, if there is such a change.
  func takeBack() {
    let isLeft = state.withLock { state in
      guard state.tracking == .left else { return false }
      state.tracking = .owed
      return true
    }
    if isLeft { askTurn() }
  }

  /// Drops the notification of a change that was left to the iterators, and then taken back from them.
  private func dropOwed() { state.withLock { if $0.tracking == .owed { $0.tracking = .outdated } } }

  override func didAddObserver() { takeBack() }

  /// Runs the block if its latest run is outdated, so that the next change is announced.
  ///
  /// - Parameter notifies: Whether a notification follows the run. Observation begins to announce changes
  ///   when the block has returned. The notification covers a change that came after the block had read the
  ///   property and before the block returned.
  /// - Returns: False if another thread is running the block. The caller's turn is then requested again after
  ///   that run, because a notification before the end of the run would be followed by another one.
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
    block?.origin.flagIfOffActor(list.subject)
    let handle = WeakHandle(self)
    withObservationTracking {
      block?.function()
      lifetime.read()
      armingRuns.enter()
    } onChange: {
      // This closure is called on the thread that changes the property. That thread may hold a lock of the
      // program.
      var event = handle.object
      event?.lifetime.announce {
        event?.handleChange(after: run)
        event = nil
      }
    }
    armingRuns.leave()
  }
}
