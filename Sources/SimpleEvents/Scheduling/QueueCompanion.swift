internal import Dispatch

/// The objects that this package keeps with a dispatch queue, for as long as the queue lives.
final class QueueCompanion: Sendable {
  /// Marks the queue as the current one.
  ///
  /// A queue that targets another one sees the other's specifics behind its own, so a key shared by all
  /// queues would hide the target. A key for each queue makes "on this queue or above it" one look-up.
  let key: DispatchSpecificKey<Bool> = DispatchSpecificKey()
  let timers: QueueTimers = QueueTimers()
  /// Guards the lane of the queue. It is not retained, because the lane retains the queue, which retains the companion.
  let lane: Guarded<WeakHandle<QueueLane>?> = Guarded(nil)
}

extension DispatchQueue {
  private static let companionKey: DispatchSpecificKey<QueueCompanion> = DispatchSpecificKey()
  /// Guards the first look-up for a queue, so that two threads do not give it two companions.
  private static let pairing: Guarded<Bool> = Guarded(false)

  var companion: QueueCompanion {
    if let companion = getSpecific(key: Self.companionKey) { return companion }
    return Self.pairing.withLock { _ in
      if let companion = getSpecific(key: Self.companionKey) { return companion }
      let companion = QueueCompanion()
      setSpecific(key: companion.key, value: true)
      setSpecific(key: Self.companionKey, value: companion)
      return companion
    }
  }

  /// The lane that all objects on this queue share.
  var lane: QueueLane {
    let (lane, old) = companion.lane.withLock { handle -> (QueueLane, WeakHandle<QueueLane>?) in
      if let lane = handle?.object { return (lane, nil) }
      let lane = QueueLane(self)
      defer { handle = WeakHandle(lane) }
      return (lane, handle)
    }
    // The memory of a deallocated lane is released here, after the lock.
    withExtendedLifetime(old) {}
    return lane
  }
}
