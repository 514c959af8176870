/// Observes several events with one block, and passes the events that fired to the block.
///
/// ```swift
/// let observer = SimpleEventGroupObserver(
///   of: settings.didChange, index.didChange, on: .main,
///   policy: .debounce(.milliseconds(100), maxWait: .seconds(1))
/// ) { fired in
///   refresh(reloadingSettings: fired.contains(settings.didChange))
/// }
/// ```
///
/// The observer keeps its events alive, and observes them until the observer is removed or deallocated. It
/// may be used from any thread, even if its events belong to one thread.
///
/// Contracts: E6, E8, E9, C1 to C8, C10, C11, see <doc:Contracts>.
public final class SimpleEventGroupObserver: Sendable {
  private struct State {
    /// The events that fired, with the block; nil after removal.
    var fired: FiredEvents?
    /// The observed events, kept alive.
    var events: [any SimpleEventObservable] = []
    var tokens: [any SimpleEventToken] = []
  }

  /// The subject of diagnostics: the observer. It stays after the removal.
  private let subject: DiagnosticSubject
  /// Guards the fired events, the observed events and the tokens. Tokens are removed, and all objects are
  /// released, after the lock is released.
  private let state: Guarded<State>

  /// Creates an observer of an array of events.
  ///
  /// - Parameters:
  ///   - events: The events to observe. An event that is listed twice is observed once.
  ///   - scheduler: The scheduler on which the block is called, and whose clock measures windows.
  ///   - policy: The rule by which notifications become calls of the block.
  ///   - label: The name of the observer in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: The block that receives the events that fired, at least one in each call. If it is isolated
  ///     to an actor, the scheduler must deliver on that actor (E9).
  public init(
    of events: [any SimpleEventObservable], on scheduler: some EventScheduler = .main,
    policy: CoalescingPolicy = .nextTurn, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping @isolated(any) ([any SimpleEventObservable]) -> Void
  ) {
    let site = CallSite(fileID: fileID, line: line)
    subject = DiagnosticSubject(type: Self.self, label: label, misuse: misuse, site: site)
    let origin = BlockIsolation(block.isolation, at: site)
    let fired = FiredEvents(on: scheduler, policy: policy, subject, origin, StoredBlock(block))
    var seen: Set<ObjectIdentifier> = []
    let events = events.filter { seen.insert(ObjectIdentifier($0)).inserted }
    // NB: the block reports the listed event and ignores the event that it receives, because an observable
    // may forward its observers to another event. The block retains the listed event until the token is
    // removed.
    let tokens = events.compactMap { event in event.addObserver(at: site) { _ in fired.add(event) } }
    state = Guarded(State(fired: fired, events: events, tokens: tokens))
  }

  /// Creates an observer of the listed events.
  public convenience init(
    of events: any SimpleEventObservable..., on scheduler: some EventScheduler = .main,
    policy: CoalescingPolicy = .nextTurn, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping @isolated(any) ([any SimpleEventObservable]) -> Void
  ) {
    self.init(
      of: events, on: scheduler, policy: policy, label: label, misuse: misuse, fileID: fileID, line: line,
      block: block)
  }

  deinit { remove() }

  /// The name of the observer in diagnostics.
  public var label: String? { subject.label }

  /// Whether a call of the block is pending, so that it comes without a further notification.
  public var isPending: Bool { fired?.isPending ?? false }

  /// Drops the events that have fired and closes the window. The observation continues.
  ///
  /// The method is idempotent, and may be called from any thread (C7).
  public func cancel() { fired?.cancel() }

  /// Makes the pending call of the block now, on the calling thread, and closes the window.
  ///
  /// Call this method on the scheduler (C7). An observed event whose notification is still pending has not
  /// fired yet: flush that event first.
  public func flush() { fired?.flush() }

  /// Stops observing, drops the events that have fired, and releases the events and the block.
  ///
  /// The method is idempotent, and may be called from any thread (E6, E8).
  public func remove() {
    // The object `fired` is closed first. It is therefore closed when this method returns, even if another
    // thread removes the observer at the same time.
    fired?.close()
    for token in state.exchange(State()).tokens { token.remove() }
  }

  var fired: FiredEvents? { state.withLock { $0.fired } }
}

extension SimpleEventGroupObserver: CustomStringConvertible {
  /// The type and the label, the number of observed events, and the number of pending events.
  public var description: String {
    let (fired, count) = state.withLock { ($0.fired, $0.events.count) }
    guard let fired else { return "\(subject.name), removed" }
    return fired.description("\(subject.name), \(counted(count, "event"))")
  }
}
