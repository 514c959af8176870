internal import Dispatch

/// What this package keeps with a dispatch queue, for as long as the queue lives.
final class QueueCompanion: Sendable {
  /// Marks the queue as the current one.
  ///
  /// A queue that targets another one sees the other's specifics behind its own, so a key shared by all
  /// queues would hide the target. A key for each queue makes "on this queue or above it" one look-up.
  let key: DispatchSpecificKey<Bool> = DispatchSpecificKey()
  let timers: QueueTimers = QueueTimers()
  /// The lane of the callbacks on the queue; weak, since they keep it, and it keeps the queue.
  let shared: Guarded<WeakHandle<AnyObject>?> = Guarded(nil)
}

extension DispatchQueue {
  private static let companionKey: DispatchSpecificKey<QueueCompanion> = DispatchSpecificKey()
  /// Guards the first look-up for a queue, so that two threads do not give it two companions.
  private static let pairing: Guarded<Void> = Guarded(())

  var companion: QueueCompanion {
    if let companion = getSpecific(key: Self.companionKey) {
      return companion
    }
    return Self.pairing.withLock { _ in
      if let companion = getSpecific(key: Self.companionKey) {
        return companion
      }
      let companion = QueueCompanion()
      setSpecific(key: companion.key, value: true)
      setSpecific(key: Self.companionKey, value: companion)
      return companion
    }
  }
}
