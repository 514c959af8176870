public import Dispatch

/// One event for many: it triggers when any of its sources does, or when you trigger it.
///
/// ```swift
/// final class Model {
///   private lazy var proxy = SimpleEventProxy(events: parent.didChange, child.didChange)
///   var didChange: any SimpleEventObservable { proxy }
/// }
/// ```
///
/// It notifies lazily, as ``LazySimpleEvent`` does, so a source that is lazy itself takes two turns. It
/// does not keep its sources alive, and stops observing them when it is deallocated.
///
/// - **E7** Fires once per turn for any of its sources and its own triggers together.
public final class SimpleEventProxy: LazySimpleEvent, @unchecked Sendable {
  // NB: written while it is created, and read by nobody but `deinit`.
  private var tokens: [any SimpleEventToken] = []

  /// Creates a proxy that notifies on a dispatch queue.
  ///
  /// - Parameters:
  ///   - queue: Where observers are called.
  ///   - policy: When they are called.
  ///   - events: The sources.
  ///   - label: What diagnostics call the proxy; by default its type.
  ///   - misuse: What to do when an observer is mistreated.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  public convenience init(
    queue: DispatchQueue = .main, policy: CoalescingPolicy = .nextTurn, events: [any SimpleEventObservable],
    label: String? = nil, misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(
      scheduler: queue, policy: policy, events: events, label: label, misuse: misuse, fileID: fileID,
      line: line)
  }

  /// Creates a proxy of the events listed that notifies on a dispatch queue.
  ///
  /// - Parameters:
  ///   - queue: Where observers are called.
  ///   - policy: When they are called.
  ///   - events: The sources.
  ///   - label: What diagnostics call the proxy; by default its type.
  ///   - misuse: What to do when an observer is mistreated.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  public convenience init(
    queue: DispatchQueue = .main, policy: CoalescingPolicy = .nextTurn, events: any SimpleEventObservable...,
    label: String? = nil, misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(
      scheduler: queue, policy: policy, events: events, label: label, misuse: misuse, fileID: fileID,
      line: line)
  }

  /// Creates a proxy of the events listed that notifies on any scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: Where observers are called, and what tells the time.
  ///   - policy: When they are called.
  ///   - events: The sources.
  ///   - label: What diagnostics call the proxy; by default its type.
  ///   - misuse: What to do when an observer is mistreated.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  public convenience init(
    scheduler: any EventScheduler, policy: CoalescingPolicy = .nextTurn, events: any SimpleEventObservable...,
    label: String? = nil, misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(
      scheduler: scheduler, policy: policy, events: events, label: label, misuse: misuse, fileID: fileID,
      line: line)
  }

  /// Creates a proxy that notifies on any scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: Where observers are called, and what tells the time.
  ///   - policy: When they are called.
  ///   - events: The sources.
  ///   - label: What diagnostics call the proxy; by default its type.
  ///   - misuse: What to do when an observer is mistreated.
  ///   - fileID: The caller's file, for diagnostics.
  ///   - line: The caller's line, for diagnostics.
  public init(
    scheduler: any EventScheduler, policy: CoalescingPolicy = .nextTurn, events: [any SimpleEventObservable],
    label: String? = nil, misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    super.init(scheduler: scheduler, policy: policy, label: label, misuse: misuse)
    let site = RegistrationSite(isolation: nil, fileID: fileID, line: line)
    tokens = events.compactMap { event in
      event.addObserver(at: site) { [weak self] _ in self?.schedule() }
    }
  }
}
