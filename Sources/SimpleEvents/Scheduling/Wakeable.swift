/// An object that a scheduler wakes: it has asked for a turn or armed an alarm.
package protocol Wakeable: AnyObject {
  func wake(_ cause: WakeCause)
}

/// The reason why an object is woken.
package enum WakeCause {
  /// A turn of the scheduler that the object has asked for.
  case turn
  /// An alarm, by the ticket with which it was armed.
  case alarm(UInt16)
}

/// A reference to an object that is woken once, if it is still alive by then (E6).
///
/// SAFETY: it crosses threads with the work that a scheduler runs. `wake(_:)` may be called on any thread, as the objects
/// document for themselves; the handle itself never changes.
struct WakeHandle: @unchecked Sendable {
  private let handle: WeakHandle<AnyObject>
  // SAFETY: used only while `handle` has yielded a strong reference to the same object.
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
