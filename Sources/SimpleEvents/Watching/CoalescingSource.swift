internal import Synchronization

/// An object that coalesces, as a monitor sees it: its name, its rule and its state.
///
/// A source does not keep the object alive, and may be kept after the object's end. All members may be used
/// from any thread.
///
/// Contracts: W1 to W4, see <doc:Contracts>.
public final class CoalescingSource: Sendable, Identifiable {
  /// A number that is unique in the process. Sources are numbered in the order of creation.
  public let id: Int
  /// The type of the object.
  public let type: Any.Type
  /// The name of the object in diagnostics.
  public let label: String?
  /// The place at which the object was created; nil if it is not recorded.
  public let site: CallSite?
  /// The rule by which signals become deliveries; nil for an iterator of notifications.
  public let policy: CoalescingPolicy?
  /// The name of the scheduler: the label of a queue, a description, or a type. Nil if the object has no
  /// scheduler.
  public let schedulerName: String?
  /// The scheduler whose clock measures; nil for an object without one.
  private let scheduler: (any EventScheduler)?
  /// Guards the counts and the monitor, which is called, and released, after the lock is released.
  ///
  /// It is taken inside the lock of the object where a count belongs together with a change of the object,
  /// never the other way round.
  private let state: Guarded<SourceState>

  private static let count: Atomic<Int> = Atomic(0)

  /// - Parameters:
  ///   - subject: The object in diagnostics.
  ///   - policy: The rule of the object.
  ///   - scheduler: The scheduler of the object.
  ///   - monitor: The receiver of the reports of the object.
  init(
    _ subject: DiagnosticSubject, _ policy: CoalescingPolicy?, on scheduler: (any EventScheduler)?,
    to monitor: any CoalescingMonitor
  ) {
    // Relaxed, because a number publishes nothing.
    id = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    type = subject.type
    label = subject.label
    site = subject.site
    self.policy = policy
    schedulerName = scheduler?.name
    self.scheduler = scheduler
    state = Guarded(SourceState(monitor: monitor))
    CoalescingSystem.withoutMonitor { monitor.created(self) }
  }

  /// The sums over all deliveries so far, and the state of the object now. All belong to one instant.
  ///
  /// - Complexity: O(1).
  public var statistics: CoalescingStatistics {
    let now = now
    let read = { self.state.withLock { $0.statistics(at: now) } }
    return state.withLock({ $0.keys })?(read) ?? read()
  }

  /// The current instant on the clock of the object's scheduler, or of the machine where it has none.
  package var now: EventInstant { scheduler?.now ?? .uptime }

  /// Lets an object add its counts of keys to the statistics. It reads them in one step with its own.
  func readKeys(by read: @escaping SourceState.KeyReader) { state.withLock { $0.keys = read } }

  /// Counts a signal that was accepted.
  ///
  /// - Parameters:
  ///   - now: The instant; may be nil if another signal is pending.
  ///   - covers: Whether further signals join by ``join()``.
  func noteSignal(at now: EventInstant?, covers: Bool = false) {
    state.withLock { $0.noteSignal(at: now, covers: covers) }
  }

  /// Counts a signal that joins the pending ones; returns false if it may not, and has to be accepted under
  /// the lock of the object.
  ///
  /// The lock of the source orders it before the start of the delivery, which uncovers signals first (C2).
  func join() -> Bool { state.withLock { $0.join() } }

  /// Lets no further signal join by ``join()``.
  func uncover() { state.withLock { $0.isCovering = false } }

  /// Whether a signal is pending, whose instant is known.
  var hasPending: Bool { state.withLock { $0.pending.count > 0 } }

  /// Records the reason for the next delivery.
  package func note(_ cause: CoalescingDelivery.Cause) { state.withLock { $0.note(cause) } }

  /// Records the start of a delivery, which covers the pending signals. A turn is a reason where none was
  /// recorded before.
  ///
  /// - Parameters:
  ///   - now: The present; nil if the object is not watched.
  ///   - rest: The number of elements that the delivery leaves (C12).
  package func begin(
    _ cause: CoalescingDelivery.Cause = .turn, at now: EventInstant?, leaving rest: Int = 0
  ) {
    guard let now else { return }
    state.withLock { $0.begin(cause, at: now, leaving: rest) }
  }

  /// Records the start of the delivery of one of several keys, which covers some of the pending signals.
  func begin(
    _ cause: CoalescingDelivery.Cause, _ signals: SourceState.Signals, at start: EventInstant,
    leaving rest: SourceState.Signals, run id: Int = 0
  ) {
    state.withLock { state in
      state.note(cause)
      state.begin(signals, at: start, leaving: rest, run: id)
    }
  }

  /// Reports the end of the delivery. The object begins no other one before this returns.
  ///
  /// - Parameters:
  ///   - isCancelled: Whether the error is that of a cancellation, and no failure.
  ///   - key: The key that was delivered; nil for an object without keys.
  ///   - id: The number of the run, if several are in progress at the same time.
  package func finish(
    dropped: Int = 0, error: (any Error)? = nil, isCancelled: Bool = false, of key: (any Sendable)? = nil,
    run id: Int = 0
  ) {
    let now = now
    // In words under no lock, because the error describes itself.
    let failure = isCancelled ? nil : error.map { "\($0)" }
    let delivery = state.withLock {
      $0.finish(
        at: now, of: self, run: id, key: key, dropped: dropped, error: error, isCancelled: isCancelled,
        failure: failure)
    }
    guard let delivery else { return }
    report { $0.delivered(delivery) }
  }

  /// Takes the pending signals, in order to discard them. The caller passes the number to ``discard(_:)``,
  /// after its lock.
  package func takePending() -> Int { state.withLock { $0.takePending() } }

  /// Takes some of the pending signals.
  func takePending(leaving rest: SourceState.Signals) -> Int {
    state.withLock { $0.takePending(leaving: rest) }
  }

  /// Reports signals that are not going to be delivered.
  package func discard(_ count: Int) {
    guard count > 0 else { return }
    report { $0.discarded(self, unsent: count) }
  }

  /// Ends the source, after the delivery in progress. Idempotent.
  package func end() {
    state.withLock { $0.end() }
    reportEnd()
  }

  /// Reports the end, if the source has ended and no other report is in progress or to come.
  private func reportEnd() {
    // A monitor keeps sources, so a source releases it at the end.
    guard let (monitor, unsent) = state.withLock({ $0.takeEnd() }) else { return }
    CoalescingSystem.withoutMonitor { monitor.ended(self, unsent: unsent) }
  }

  /// Makes a report that was recorded. Objects that this thread creates during the call have no source (W3).
  private func report(_ call: (any CoalescingMonitor) -> Void) {
    if let monitor = state.withLock({ $0.monitor }) { CoalescingSystem.withoutMonitor { call(monitor) } }
    state.withLock { $0.noteReport() }
    reportEnd()
  }
}

extension CoalescingSource: CustomStringConvertible {
  /// The type and the label, or the type and the place of creation; the type and a number if that is not
  /// recorded.
  public var description: String {
    if let label { return "\(type) \"\(label)\"" }
    return site.map { "\(type) of \($0)" } ?? "\(type) \(id)"
  }
}
