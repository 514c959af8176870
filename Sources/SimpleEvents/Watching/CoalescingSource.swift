internal import Synchronization

/// Describes a coalescing object to a monitor: its name, its policy and its state.
///
/// A source does not keep the object alive, and may outlive the object. All members may be used from any
/// thread.
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
  /// The name of the scheduler: the label of a queue, the description of the scheduler, or the name of its
  /// type. Nil if the object has no scheduler.
  public let schedulerName: String?
  /// The scheduler whose clock is read; nil if the object has no scheduler.
  private let scheduler: (any EventScheduler)?
  /// Guards the counts and the monitor. The monitor is called, and released, after the lock is released.
  ///
  /// If a count and a change of the object must be one step, this lock is taken while the lock of the object
  /// is held. The lock of the object is never taken while this lock is held.
  private let state: Guarded<SourceState>

  private static let count: Atomic<Int> = Atomic(0)

  /// - Parameters:
  ///   - subject: The type, the label and the place of creation of the object.
  ///   - policy: The policy of the object; nil if it has none.
  ///   - scheduler: The scheduler of the object; nil if it has none.
  ///   - monitor: The monitor that receives the reports.
  init(
    _ subject: DiagnosticSubject, _ policy: CoalescingPolicy?, on scheduler: (any EventScheduler)?,
    to monitor: any CoalescingMonitor
  ) {
    // The addition is relaxed, because the number publishes no other memory.
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

  /// The sums over all deliveries so far, and the current state of the object. All values belong to one
  /// instant.
  ///
  /// - Complexity: O(1); with keys, amortised O(log n + m) with n keys and m runs in progress.
  public var statistics: CoalescingStatistics {
    let now = now
    let read = { self.state.withLock { $0.statistics(at: now) } }
    return state.withLock({ $0.keys })?(read) ?? read()
  }

  /// The current instant on the clock of the object's scheduler, or on the uptime clock if it has no
  /// scheduler.
  package var now: EventInstant { scheduler?.now ?? .uptime }

  /// Sets the function with which an object adds its counts of keys to the statistics. The function reads the
  /// keys and the statistics in one step.
  func readKeys(by read: @escaping SourceState.KeyReader) { state.withLock { $0.keys = read } }

  // NB: the methods with `@inline(never)` would otherwise be repeated in the code of each object that
  // coalesces, and most objects have no source.
  /// Counts a signal that was accepted.
  ///
  /// - Parameters:
  ///   - now: The instant of the signal; may be nil if another signal is pending.
  ///   - covers: Whether ``join()`` may count further signals.
  @inline(never) func noteSignal(at now: EventInstant?, covers: Bool = false) {
    state.withLock { $0.noteSignals(1, at: now, covers: covers) }
  }

  /// Counts signals that have the same instant.
  func noteSignals(_ count: Int, at now: EventInstant) {
    if count > 0 { state.withLock { $0.noteSignals(count, at: now) } }
  }

  /// Counts a signal that joins the pending signals; returns false if the object must accept it under its own
  /// lock.
  ///
  /// The lock of the source orders the signal before the start of the delivery, because the delivery calls
  /// ``uncover()`` first (C2).
  func join() -> Bool { state.withLock { $0.join() } }

  /// Makes ``join()`` return false until a later signal is counted with the argument `covers`.
  @inline(never) func uncover() { state.withLock { $0.isCovering = false } }

  /// Whether a signal is pending. If so, the instant of the first one is known.
  var hasPending: Bool { state.withLock { $0.pending.count > 0 } }

  /// Records the reason for the next delivery.
  package func note(_ cause: CoalescingDelivery.Cause) { state.withLock { $0.note(cause) } }

  /// Records the start of a delivery of the pending signals. The default cause does not replace a recorded
  /// one.
  ///
  /// - Parameters:
  ///   - cause: The reason for the delivery.
  ///   - now: The current instant; nil if the object is not watched.
  ///   - rest: The number of elements that the delivery leaves in the queue (C12).
  @inline(never) package func begin(
    _ cause: CoalescingDelivery.Cause = .turn, at now: EventInstant?, leaving rest: Int = 0
  ) {
    guard let now else { return }
    state.withLock { $0.begin(cause, at: now, leaving: rest) }
  }

  /// Records the start of the delivery of one key. The delivery answers some of the pending signals.
  func begin(
    _ cause: CoalescingDelivery.Cause, _ signals: SourceState.Signals, at start: EventInstant,
    leaving rest: SourceState.Signals, run id: Int = 0
  ) {
    state.withLock { state in
      state.note(cause)
      state.begin(signals, at: start, leaving: rest, run: id)
    }
  }

  /// Reports the end of the delivery. The object begins no other delivery with the same number before this
  /// method returns.
  ///
  /// - Parameters:
  ///   - dropped: The number of dropped elements, as in ``CoalescingDelivery/droppedCount``.
  ///   - error: The error of the run; nil if the run has succeeded.
  ///   - isCancelled: Whether the error comes from a cancellation and is not a failure.
  ///   - key: The key that was delivered; nil for an object without keys.
  ///   - id: The number of the run of a key; zero for any other delivery.
  @inline(never) package func endDelivery(
    dropped: Int = 0, error: (any Error)? = nil, isCancelled: Bool = false, of key: (any Sendable)? = nil,
    run id: Int = 0
  ) {
    let now = now
    // The description is made under no lock, because it is user code.
    let failure = isCancelled ? nil : error.map { "\($0)" }
    let delivery = state.withLock {
      $0.endDelivery(
        at: now, of: self, run: id, key: key, dropped: dropped, error: error, isCancelled: isCancelled,
        failure: failure)
    }
    guard let delivery else { return }
    report { $0.delivered(delivery) }
  }

  /// Takes the pending signals, which are to be discarded; returns their number. The caller passes the number
  /// to ``discard(_:)`` after its lock is released.
  @inline(never) package func takePending() -> Int { state.withLock { $0.takePending() } }

  /// Takes the pending signals, except for those that stay pending; returns the number of taken signals.
  func takePending(leaving rest: SourceState.Signals) -> Int {
    state.withLock { $0.takePending(leaving: rest) }
  }

  /// Reports signals that are not going to be delivered.
  @inline(never) package func discard(_ count: Int) {
    guard count > 0 else { return }
    report { $0.discarded(self, unsent: count) }
  }

  /// Ends the source. The end is reported after the delivery in progress. The method is idempotent.
  @inline(never) package func end() {
    state.withLock { $0.end() }
    reportEnd()
  }

  /// Reports the end, if the source has ended and no other report is in progress or still to be made.
  private func reportEnd() {
    // A source releases its monitor at the end, because the monitor may keep its sources.
    guard let (monitor, unsent) = state.withLock({ $0.takeEnd() }) else { return }
    CoalescingSystem.withoutMonitor { monitor.ended(self, unsent: unsent) }
  }

  /// Calls the monitor with a report that was recorded. Objects that this thread creates during the call have
  /// no source (W3).
  private func report(_ call: (any CoalescingMonitor) -> Void) {
    if let monitor = state.withLock({ $0.monitor }) { CoalescingSystem.withoutMonitor { call(monitor) } }
    state.withLock { $0.noteReport() }
    reportEnd()
  }
}

extension CoalescingSource: CustomStringConvertible {
  /// The type with the label of the object; without a label, the type with the place of creation or a number.
  public var description: String {
    if let label { return "\(type) \"\(label)\"" }
    return site.map { "\(type) of \($0)" } ?? "\(type) \(id)"
  }
}
