internal import Observation

/// An event that triggers when a property of an observable model changes.
///
/// A closure reads the properties. Any change of one that it has read is a trigger, so an expression over several models is one
/// event:
///
/// ```swift
/// let didChange = ObservationEvent(on: .main) { _ = (document.title, settings.font) }
/// let token = didChange.addObserver { _ in print(document.title) }
/// ```
///
/// Observation announces one change, before the value is written. The event therefore runs the closure again on the next turn
/// of its scheduler, in order to be told of the next change, and at the latest before it notifies. The observers see the new
/// values.
///
/// The model belongs to the scheduler: its properties change there. See <doc:ObservingAnObservableModel> for a model that
/// other threads change.
///
/// It is a ``LazySimpleEvent``, so it can be triggered directly. The closure keeps alive what it captures, until the event is
/// deallocated.
///
/// Contracts: O1 to O4, and those of a lazy event, see <doc:Contracts>.
public final class ObservationEvent: LazySimpleEvent, @unchecked Sendable {
  // SAFETY: as its superclass. The block runs on the scheduler, and never twice at once: a change is announced after the run
  // that asked for it, and the lock gives each announcement to one thread.

  private struct State {
    /// Whether a property has changed since the latest run of the block, so that changes are not announced any more.
    var isOutdated: Bool = true
    /// The number of threads that are running the block: more than one only on a concurrent queue.
    var runCount: Int = 0
    /// Whether a turn came during a run on another thread. That thread takes the turn over.
    var hasTurn: Bool = false

    mutating func takeTurn() -> Bool {
      defer { hasTurn = false }
      return hasTurn
    }
  }

  private enum Renewal {
    /// The block has run, and changes are announced.
    case done
    /// No property has changed since the latest run.
    case unneeded
    /// Another thread is running the block. A notification before the end of that run could miss a change.
    case inProgress
  }

  /// Guards the state. The block runs after the lock.
  private let state: Guarded<State> = Guarded(State())
  private let origin: BlockOrigin
  private let block: StoredAction
  private let lifetime: ObservedLifetime = ObservedLifetime()

  /// Creates an event, and runs the block for the first time.
  ///
  /// If the caller is not on the scheduler, the block runs on the next turn, and the event notifies once then, because
  /// changes may have come before.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which the block runs and observers are called, and whose clock measures windows.
  ///   - policy: The rule by which changes become notifications.
  ///   - label: The name of the event in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: Reads the properties to observe, after each change anew. If it is isolated to an actor, the scheduler must
  ///     deliver on that actor (E9).
  public init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @isolated(any) () -> Void
  ) {
    origin = BlockOrigin(block.isolation, at: CallSite(fileID: fileID, line: line))
    self.block = StoredAction(block)
    super.init(on: scheduler, policy: policy, label: label, misuse: misuse, fileID: fileID, line: line)
    if scheduler.isCurrent {
      _ = renew()
    } else {
      takeChange()
    }
  }

  // Observation has no means to end an observation but a change.
  deinit { lifetime.end() }

  public override func cancel() {
    super.cancel()
    // Changes after the cancellation are not part of it.
    if turns.scheduler.isCurrent { _ = renew() }
  }

  public override func flush() {
    let renewal = renew()
    if renewal == .done { signalIfCovered() }
    super.flush()
    if renewal == .inProgress { trigger() }
  }

  package override func wake(_ cause: WakeCause) {
    guard case .turn = cause else { return super.wake(cause) }
    let renewal = renew()
    guard renewal != .inProgress else { return }
    if renewal == .done { signalIfCovered() }
    super.wake(.turn)
  }

  /// Asks for a notification after the block has run, unless one is pending.
  ///
  /// Observation begins to announce changes when the block has returned, so a change after the block's reading is not
  /// announced. The notification that follows the run shows it to the observers. If the change that made the block run was
  /// part of an earlier notification, there would be none.
  private func signalIfCovered() {
    if !isPending { trigger() }
  }

  /// Takes in that a property is about to change, on any thread.
  private func takeChange() {
    state.withLock { $0.isOutdated = true }
    turns.ask(for: WakeHandle(self))
    trigger()
  }

  /// Runs the block if it is outdated, so that the next change is announced.
  private func renew() -> Renewal {
    let (isOutdated, isRunning) = state.withLock { state in
      defer { state.isOutdated = false }
      if state.isOutdated {
        state.runCount += 1
      } else {
        state.hasTurn = state.runCount > 0
      }
      return (state.isOutdated, state.hasTurn)
    }
    guard isOutdated else { return isRunning ? .inProgress : .unneeded }
    run()
    let (isLast, hasTurn) = state.withLock { state in
      state.runCount -= 1
      guard state.runCount == 0 else {
        state.hasTurn = true
        return (false, false)
      }
      return (true, state.takeTurn())
    }
    if hasTurn { super.wake(.turn) }
    return isLast ? .done : .inProgress
  }

  private func run() {
    origin.flagIfElsewhere(list.subject)
    let handle = ObservationHandle(self)
    withObservationTracking {
      block.call()
      lifetime.read()
    } onChange: {
      handle.event?.takeChange()
    }
  }
}

/// A reference to an event that an observed model keeps until its next change.
///
/// SAFETY: the handle itself never changes, and the event is `Sendable`.
private struct ObservationHandle: @unchecked Sendable {
  private let handle: WeakHandle<ObservationEvent>

  init(_ event: ObservationEvent) { handle = WeakHandle(event) }

  var event: ObservationEvent? { handle.object }
}

/// A property that is read with those of the models, and changes when the event is deallocated: this releases what
/// Observation has stored in the models.
private final class ObservedLifetime: Observable, Sendable {
  private let registrar: ObservationRegistrar = ObservationRegistrar()
  private var isOver: Bool { false }

  func read() { registrar.access(self, keyPath: \.isOver) }

  func end() { registrar.withMutation(of: self, keyPath: \.isOver) {} }
}
