public import Dispatch
internal import Synchronization

/// Runs a closure once for any number of requests, when its policy says so.
///
/// Ask from any thread, as often as you like; the closure runs on one scheduler, never overlaps itself,
/// and has seen everything that was written before the requests it answers:
///
/// ```swift
/// let callback = CoalescingCallback(queue: .main, policy: .debounce(.milliseconds(100))) {
///   reload()
/// }
/// callback.schedule()
/// callback.schedule()  // one reload, 100 ms later
/// ```
///
/// Keep a reference: deallocation cancels.
///
/// - **C1** The closure never overlaps itself, whatever the queue. A request while it runs gives exactly
///   one more run, as the policy has it.
/// - **C2** No request is lost: a run starts after it, or one that has not started yet covers it.
/// - **C3** Memory does not depend on the number of requests.
/// - **C4** At most one timer is armed, at most two for each interval that passes.
/// - **C5** A leading delivery comes on the next turn: a request never runs the closure itself.
/// - **C6** Windows are measured from the request, not from a delivery that came late.
/// - **C7** ``cancel()``, ``flush()``, ``isPending``.
public class CoalescingCallback: @unchecked Sendable {
  // NB: `@unchecked`, since the closure is a plain one: a model confined to the main actor or to one queue
  // can pass its own. It is called on the scheduler, never twice at once (C1), each run ordered after the
  // one before by the lock. All else is immutable, atomic or behind the lock.

  private struct State {
    var gate: CoalescingGate
    /// The `ScheduledWork` that the gate's alarm waits in, nil before the first.
    ///
    /// NB: as a plain object, at the price of a cast for each cancellation: it makes every event smaller.
    var timer: AnyObject?
  }

  /// What a callback is given by its user, and an event usually is not.
  private final class Details {
    let label: String?
    let misuse: MisuseHandler
    let site: RegistrationSite?
    let block: (() -> Void)?

    init(label: String?, misuse: MisuseHandler, site: RegistrationSite?, block: (() -> Void)?) {
      self.label = label
      self.misuse = misuse
      self.site = site
      self.block = block
    }
  }

  private let source: TurnSource
  private let details: Details?
  /// Whether a request needs no more than to know that it is covered: a delivery is pending.
  ///
  /// True while, under the lock, the gate is pending, or while a request is on its way to the lock.
  /// It is set by an exchange, always, and cleared by an exchange under the lock when a delivery starts:
  /// - a request whose exchange comes before that clearing is covered by the delivery, which sees what
  ///   was written before it: read-modify-writes continue each other's release sequence, so the acquiring
  ///   clear synchronises with every one of them;
  /// - one that comes after it finds false, and goes to the gate.
  ///
  /// NB: a plain load that returns early on true would be no part of that sequence, and could miss data
  /// written just before it (C2).
  private let isCovered: Atomic<Bool> = Atomic(false)
  /// Whether the policy lets a request join what is pending without its time being known.
  private let joinsBlindly: Bool
  /// Guards the gate and the timer that it has asked for.
  private let state: Guarded<State>

  /// Creates a callback that runs on a dispatch queue.
  ///
  /// - Parameters:
  ///   - queue: Where the closure runs: serial, concurrent or main.
  ///   - policy: When it runs.
  ///   - label: What diagnostics call the callback; by default, where it was created.
  ///   - misuse: What to do about a wrong use of ``flush()``, or a policy without edges.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  ///   - block: The closure to run.
  public convenience init(
    queue: DispatchQueue = .main, policy: CoalescingPolicy = .nextTurn, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping () -> Void
  ) {
    self.init(
      scheduler: queue, policy: policy, label: label, misuse: misuse, fileID: fileID, line: line, block: block
    )
  }

  /// Creates a callback that runs on any scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: Where the closure runs, and what tells the time.
  ///   - policy: When it runs.
  ///   - label: What diagnostics call the callback; by default, where it was created.
  ///   - misuse: What to do about a wrong use of ``flush()``, or a policy without edges.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  ///   - block: The closure to run.
  public convenience init(
    scheduler: any EventScheduler, policy: CoalescingPolicy = .nextTurn, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping () -> Void
  ) {
    let site = RegistrationSite(isolation: nil, fileID: fileID, line: line)
    self.init(scheduler, policy, label: label, misuse: misuse, site: site, block: block)
  }

  /// - Parameters:
  ///   - site: Where the callback was created, nil where its owner has a name to go by.
  ///   - block: What to run, nil for a subclass that knows by itself.
  init(
    _ scheduler: any EventScheduler, _ policy: CoalescingPolicy, label: String?, misuse: MisuseHandler,
    site: RegistrationSite?, block: (() -> Void)?
  ) {
    let gate = CoalescingGate(policy: policy)
    source = TurnSource(scheduler)
    let isPlain = label == nil && block == nil && misuse.isDefault
    details =
      isPlain ? nil : Details(label: label, misuse: misuse, site: isDebugBuild ? site : nil, block: block)
    joinsBlindly = gate.joinsBlindly
    state = Guarded(State(gate: gate))
    policy.flagIfWithoutEdges(of: name, misuse: misuse, at: site)
  }

  deinit {
    cancelTimer(state.withLock { $0.timer })
  }

  /// Whether the closure will run without a further request.
  public var isPending: Bool {
    state.withLock { $0.gate.isPending }
  }

  /// Asks for a run.
  ///
  /// Callable from any thread; returns without having run anything.
  ///
  /// - Complexity: O(1), whatever is pending.
  public func schedule() {
    if joinsBlindly && isCovered.exchange(true, ordering: .acquiringAndReleasing) {
      return
    }
    if joinsBlindly, let step = state.withLock({ $0.gate.signal(at: nil) }) {
      return perform(step)
    }
    let now = source.now
    if let step = state.withLock({ $0.gate.signal(at: now) }) {
      perform(step)
    }
  }

  /// Drops what is pending and closes the window; the next request starts afresh.
  ///
  /// Called on the scheduler, or on the only thread that drives it, nothing runs after it has returned,
  /// save a run in progress. Idempotent, from any thread.
  public func cancel() {
    let timer = state.withLock { state -> AnyObject? in
      state.gate.cancel()
      uncover()
      defer { state.timer = nil }
      return state.timer
    }
    cancelTimer(timer)
  }

  /// Delivers what is pending now, on the calling thread, and closes the window.
  ///
  /// With nothing pending it does nothing. While a run is in progress, because the closure itself flushes
  /// or another thread delivers, the pending one follows it on the next turn instead. Call it on the
  /// scheduler; elsewhere is flagged, and delivers where it was called all the same.
  public func flush() {
    if misuse.isActive && !source.scheduler.isCurrent {
      misuse.flag(
        Misuse(
          .flushedElsewhere,
          """
          \(name) was flushed off its scheduler, so it delivers on the wrong thread. Flush from work on that scheduler, \
          for a queue with queue.sync or queue.async.
          """, at: details?.site))
    }
    let (delivers, timer) = state.withLock { state -> (Bool, AnyObject?) in
      guard state.gate.isPending else { return (false, nil) }
      let delivers = state.gate.flush()
      if delivers {
        uncover()
      }
      defer { state.timer = nil }
      return (delivers, state.timer)
    }
    cancelTimer(timer)
    if delivers {
      deliver()
      finishDelivery()
    }
  }

  /// Runs what is to be run. For a subclass to say; called on the scheduler, under no lock.
  func deliver() {
    details?.block?()
  }

  var label: String? { details?.label }
  var misuse: MisuseHandler { details?.misuse ?? .debugTrap }

  private var name: String {
    let name = label.map { "\"\($0)\"" } ?? "\(Self.self)"
    return details?.site.map { "\(name), created at \($0)," } ?? name
  }

  private func perform(_ step: CoalescingGate.Step) {
    if step.asksTurn {
      source.ask(for: self)
    }
    if let alarm = step.alarm {
      arm(alarm)
    }
  }

  private func arm(_ alarm: CoalescingGate.Alarm) {
    let work = source.scheduler.schedule(at: alarm.deadline, tolerance: .zero) { [weak self] in
      self?.alarmWentOff(alarm.ticket)
    }
    let (isVoid, old) = state.withLock { state -> (Bool, AnyObject?) in
      // Cancelled meanwhile, or gone off already.
      guard state.gate.awaits(alarm.ticket) else { return (true, nil) }
      defer { state.timer = work }
      return (false, state.timer)
    }
    // A timer that went off before is let go here: after the lock.
    withExtendedLifetime(old) {}
    if isVoid {
      work.cancel()
    }
  }

  private func alarmWentOff(_ ticket: UInt32) {
    let now = source.now
    perform(state.withLock { $0.gate.deadlineReached(at: now, ticket: ticket) })
  }

  private func cancelTimer(_ timer: AnyObject?) {
    (timer as? any ScheduledWork)?.cancel()
  }

  private func finishDelivery() {
    perform(state.withLock { $0.gate.deliveryFinished() })
  }

  /// NB: under the lock only, together with the change of the gate that it follows from.
  private func uncover() {
    _ = isCovered.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Takes a turn that was asked for.
  final func turn() {
    let starts = state.withLock { state in
      let starts = state.gate.deliveryStarted()
      if starts {
        uncover()
      }
      return starts
    }
    if starts {
      deliver()
      finishDelivery()
    }
  }
}
