/// An event that triggers when any of several source events notifies.
///
/// ```swift
/// final class Model {
///   private lazy var proxy = SimpleEventProxy(of: parent.didChange, child.didChange)
///   var didChange: any SimpleEventObservable { proxy }
/// }
/// ```
///
/// A proxy is a ``LazySimpleEvent``, so it can be triggered directly, and notifies one turn later than a
/// source that is a lazy event. If a notification of a source is still pending, a `flush()` of the proxy does
/// not include it: flush the source first. A proxy does not keep its sources alive, and its deallocation ends
/// the observation.
///
/// Contracts: E7, and those of a lazy event, see <doc:Contracts>.
public final class SimpleEventProxy: LazySimpleEvent, @unchecked Sendable {
  // SAFETY: the superclass is `Sendable`, and a lock guards the tokens.

  /// Guards the tokens of the sources. The array is nil after the removal of the proxy. Tokens are removed
  /// after the lock is released.
  private let tokens: Guarded<[any SimpleEventToken]?> = Guarded([])

  /// Creates a proxy of an array of events.
  ///
  /// - Parameters:
  ///   - events: The source events.
  ///   - scheduler: The scheduler on which observers are called, and whose clock measures windows.
  ///   - policy: The rule by which triggers become notifications.
  ///   - label: The name of the proxy in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public init(
    of events: [any SimpleEventObservable], on scheduler: some EventScheduler = .main,
    policy: CoalescingPolicy = .nextTurn, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    super.init(on: scheduler, policy: policy, label: label, misuse: misuse, fileID: fileID, line: line)
    let site = CallSite(fileID: fileID, line: line)
    _ = tokens.exchange(
      events.compactMap { $0.addObserver(at: site) { @Sendable [weak self] _ in self?.trigger() } })
  }

  /// Creates a proxy of the listed events.
  public convenience init(
    of events: any SimpleEventObservable..., on scheduler: some EventScheduler = .main,
    policy: CoalescingPolicy = .nextTurn, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      of: events, on: scheduler, policy: policy, label: label, misuse: misuse, fileID: fileID, line: line)
  }

  deinit { end() }

  /// Whether the proxy was removed.
  var isRemoved: Bool { tokens.withLock { $0 == nil } }

  /// Stops observing the sources, drops the pending notification, and ends the proxy.
  ///
  /// Later triggers have no effect, and a loop over the `notifications` of the proxy ends. The method is
  /// idempotent, and may be called from any thread (E6).
  public func remove() {
    end()
    list.endNotifications()
  }

  private func end() {
    for token in tokens.exchange(nil) ?? [] { token.remove() }
    close()
  }
}
