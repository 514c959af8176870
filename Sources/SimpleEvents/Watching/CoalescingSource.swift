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

  /// Twice the number of signals that have joined the pending ones without the lock; odd while signals may
  /// do so.
  ///
  /// It replaces the coalescer's flag for an object that is watched. The first signal sets the flag, and the
  /// start of a delivery takes the word, both under the coalescer's lock. A signal joins by a
  /// compare-exchange that finds the flag, so it precedes the taking: the delivery counts it, and sees the
  /// writes before it, because all changes are read-modify-writes that acquire and release (C2).
  private let joined: Atomic<UInt64> = Atomic(0)

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
    report { $0.created(self) }
  }

  /// The sums over all deliveries so far, and the state of the object now. All belong to one instant.
  ///
  /// - Complexity: O(1).
  public var statistics: CoalescingStatistics {
    let now = now
    // Relaxed, because nothing is read that the signals publish. The word is taken under the same lock.
    return state.withLock { $0.statistics(at: now, joined: joined.load(ordering: .relaxed) / 2) }
  }

  /// The current instant on the clock of the object's scheduler, or of the machine where it has none.
  package var now: EventInstant { scheduler?.now ?? .uptime }

  /// Counts a signal that was accepted.
  ///
  /// - Parameters:
  ///   - now: The instant; may be nil if another signal is pending.
  ///   - covers: Whether further signals may join without the lock.
  func noteSignal(at now: EventInstant?, covers: Bool = false) {
    state.withLock { state in
      state.noteSignal(at: now)
      if covers { joined.bitwiseOr(1, ordering: .acquiringAndReleasing) }
    }
  }

  /// Counts a signal that joins the pending ones; returns false if it may not, and has to be accepted under
  /// the lock of the object.
  func join() -> Bool {
    var old = joined.load(ordering: .relaxed)
    while old % 2 == 1 {
      let (isDone, current) = joined.compareExchange(
        expected: old, desired: old + 2, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if isDone { return true }
      old = current
    }
    return false
  }

  /// Lets no further signal join without the lock, and adds the signals that have joined to the pending ones.
  func uncover() {
    state.withLock { $0.add(joined: joined.exchange(0, ordering: .acquiringAndReleasing) / 2) }
  }

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

  /// Reports the end of the delivery. The object begins no other one before this returns.
  ///
  /// - Parameter isCancelled: Whether the error is that of a cancellation, and no failure.
  package func finish(dropped: Int = 0, error: (any Error)? = nil, isCancelled: Bool = false) {
    let now = now
    // In words under no lock, because the error describes itself.
    let failure = isCancelled ? nil : error.map { "\($0)" }
    let delivery = state.withLock {
      $0.finish(
        at: now, of: self, dropped: dropped, error: error, isCancelled: isCancelled, failure: failure)
    }
    guard let delivery else { return }
    report { $0.delivered(delivery) }
    state.withLock { $0.noteReported() }
    reportEnd()
  }

  /// Takes the pending signals, in order to discard them. The caller passes the number to ``discard(_:)``,
  /// after its lock.
  package func takePending() -> Int { state.withLock { $0.takePending() } }

  /// Reports signals that are not going to be delivered.
  package func discard(_ count: Int) {
    guard count > 0 else { return }
    report { $0.discarded(self, unsent: count) }
    state.withLock { $0.noteReport() }
    reportEnd()
  }

  /// Ends the source, after the delivery in progress. Idempotent.
  package func end() {
    // A deallocation has not taken the signals that have joined.
    uncover()
    state.withLock { $0.end() }
    reportEnd()
  }

  /// Reports the end, if the source has ended and no other report is in progress or to come.
  private func reportEnd() {
    guard let unsent = state.withLock({ $0.takeEnd() }) else { return }
    report { $0.ended(self, unsent: unsent) }
    // A monitor keeps sources, so a source releases it at the end.
    let monitor = state.withLock { $0.takeMonitor() }
    withExtendedLifetime(monitor) {}
  }

  /// Calls the monitor. Objects that this thread creates during the call have no source (W3).
  private func report(_ call: (any CoalescingMonitor) -> Void) {
    guard let monitor = state.withLock({ $0.monitor }) else { return }
    CoalescingSystem.withoutMonitor { call(monitor) }
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
