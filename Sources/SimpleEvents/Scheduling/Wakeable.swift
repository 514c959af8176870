internal import Synchronization

/// An object that a scheduler wakes after a requested turn or an armed alarm.
package protocol Wakeable: AnyObject {
  func wake(_ cause: WakeCause)

  /// Whether the caller is part of a delivery that continues after ``wake(_:)`` has returned; false by
  /// default. Diagnostics read it.
  var isCallerInsideDelivery: Bool { get }
}

extension Wakeable {
  package var isCallerInsideDelivery: Bool { false }
}

/// The reason why an object is woken.
package enum WakeCause: Sendable {
  /// A turn of the scheduler that the object has requested.
  case turn
  /// An alarm, with the ticket with which it was armed.
  case alarm(UInt16)
  /// The requested turn is lost: the scheduler has released it, on any thread (S7).
  case lostTurn
  /// The alarm is lost, or was cancelled.
  case lostAlarm(UInt16)

  package var isAlarm: Bool { if case .alarm = self { true } else { false } }

  /// The cause that reports the loss of the turn or alarm.
  fileprivate var loss: WakeCause {
    switch self {
    case .turn, .lostTurn: .lostTurn
    case .alarm(let ticket), .lostAlarm(let ticket): .lostAlarm(ticket)
    }
  }
}

/// A weak reference to an object that is to be woken. A deallocated object is not woken (E6).
///
/// SAFETY: the reference crosses threads with the work that a scheduler runs. `wake(_:)` may be called on any
/// thread, as each object documents; the handle itself never changes.
struct WakeTarget: @unchecked Sendable {
  private let handle: WeakHandle<AnyObject>
  // SAFETY: the reference is used only while `handle` has yielded a strong reference to the same object.
  private unowned(unsafe) let object: any Wakeable

  init(_ object: any Wakeable) {
    handle = WeakHandle(object)
    unsafe self.object = object
  }

  func wake(_ cause: WakeCause) {
    guard let owner = handle.object else { return }
    withExtendedLifetime(owner) { unsafe object.wake(cause) }
  }
}

/// The work that a scheduler runs for a turn or an alarm of an object.
///
/// The work wakes the object when it runs, or when it is released without having run (S7).
final class ScheduledWake: Sendable {
  private let object: WakeTarget
  private let cause: WakeCause
  /// Whether the work has run. All accesses are relaxed, because the reference count orders the run before
  /// the `deinit`.
  private let hasRun: Atomic<Bool> = Atomic(false)

  init(_ object: WakeTarget, _ cause: WakeCause) {
    self.object = object
    self.cause = cause
  }

  deinit {
    if !hasRun.load(ordering: .relaxed) { object.wake(cause.loss) }
  }

  func run() {
    hasRun.store(true, ordering: .relaxed)
    object.wake(cause)
  }
}
