/// An event that notifies its observers on a later turn, once for any number of triggers.
///
/// It may be triggered from any thread, even from inside a notification. Observers are called on one
/// scheduler, at the times that the policy sets:
///
/// ```swift
/// final class Model: Sendable {
///   private let _didChange = LazySimpleEvent(on: .main)
///   var didChange: any SimpleEventObservable & Sendable { _didChange }
///   func finish() { _didChange.trigger() }
/// }
/// ```
///
/// All triggers before a delivery give one notification. A trigger during a notification gives exactly one
/// more. The observers see everything that was written before the triggers.
///
/// Contracts: E4 to E6, E9, C1 to C8, C10, C11, H1 to H9, see <doc:Contracts>.
public class LazySimpleEvent: ObserverListOwner {
  private let observers: LazyObserverList
  private let coalescer: Coalescer

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which observers are called, and whose clock measures windows.
  ///   - policy: The rule by which triggers become notifications.
  ///   - label: The name of the event in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  public init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    coalescer = Coalescer(on: scheduler, policy: policy, subject)
    observers = LazyObserverList(subject)
  }

  /// The name of the event in diagnostics.
  public var label: String? { observers.subject.label }

  var list: ObserverList { observers.list }

  /// The subject of diagnostics: the event.
  package final var subject: DiagnosticSubject { observers.subject }

  /// The source of the event's turns.
  final var turns: TurnSource { coalescer.turns }

  /// Whether a notification follows without a further trigger.
  public var isPending: Bool { coalescer.isPending }

  package var isPendingOrDelivering: Bool { coalescer.isPendingOrDelivering }

  /// Whether a monitor sees the event.
  final var isWatched: Bool { coalescer.isWatched }

  /// Requests a notification.
  ///
  /// The method may be called from any thread, and does not call an observer itself (C5).
  ///
  /// - Parameter condition: Whether to trigger, for example the result of a comparison in a property
  ///   observer. False does not revoke an earlier trigger.
  /// - Complexity: O(1).
  public func trigger(if condition: Bool = true) {
    guard condition else { return }
    coalescer.signal(for: self)
  }

  /// Drops the pending notification and closes the window. The next trigger opens a new window.
  ///
  /// The method is idempotent, and may be called from any thread (E6, C7).
  public func cancel() { coalescer.cancel() }

  /// Drops the pending notification, and ignores all later triggers (E6).
  final func close() { coalescer.close() }

  /// Sends the pending notification now, on the calling thread, and closes the window.
  ///
  /// Call this method on the scheduler (C7).
  public func flush() {
    if coalescer.flush(observers.subject) { deliver() }
  }

  func didAddObserver() {}

  /// Requests a turn, even if no notification is due. If a requested turn is still to come, no further turn
  /// is requested.
  final func askTurn() { coalescer.askTurn(for: self) }

  /// Notifies now, even if no notification is pending. If a notification is in progress, another one follows
  /// it.
  ///
  /// - Parameter prepare: A function that is called before the observers. By then the notification has begun
  ///   or is pending.
  final func notify(after prepare: () -> Void) {
    let delivers = coalescer.flush(observers.subject, isOwed: true)
    prepare()
    if delivers { deliver() }
  }

  package func wake(_ cause: WakeCause) { wake(cause, isHere: true) }

  /// - Parameter isHere: Whether a notification that is due can be sent now. Otherwise it is sent on the next
  ///   turn.
  final func wake(_ cause: WakeCause, isHere: Bool) {
    switch coalescer.wake(cause, for: self, isHere: isHere) {
    case .none: break
    case .delivers: deliver()
    case .loses: list.endNotifications()
    }
  }

  private func deliver() {
    observers.notify(self)
    coalescer.finish(for: self, observers.subject)
  }
}

extension LazySimpleEvent: Wakeable, PendingObject {
  package var isEndless: Bool { coalescer.isEndless }
}

extension LazySimpleEvent: CustomStringConvertible {
  /// The type and the label, the number of live observers, and the state of the delivery.
  ///
  /// - Complexity: O(n).
  public var description: String {
    coalescer.description(list.summary(of: Self.self), isPending: isPending)
  }
}

// SAFETY: observers are plain blocks and objects. They are called on the scheduler, one call at a time (C1),
// and the coalescer's lock orders each notification after the previous one. Each property is immutable,
// atomic or guarded by a lock.
extension LazySimpleEvent: @unchecked Sendable {}
