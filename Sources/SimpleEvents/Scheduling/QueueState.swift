internal import Dispatch

/// The objects that this package stores with a dispatch queue, as long as the queue is alive.
final class QueueState: Sendable {
  /// Marks the queue as the current one.
  ///
  /// If a queue targets another queue, a look-up finds the value of the queue itself before the value of its
  /// target. If all queues shared one key, a look-up would therefore never find the value of the target. With
  /// a key for each queue, one look-up tells whether the caller is on the queue or on a queue that targets
  /// it.
  let key: DispatchSpecificKey<Bool> = DispatchSpecificKey()
  let timers: QueueTimers = QueueTimers()
  /// Guards the handle of the queue's turns. A strong reference would be a cycle: the turns retain the queue,
  /// and the queue retains this state.
  let turns: Guarded<WeakHandle<QueueTurns>?> = Guarded(nil)
}

extension DispatchQueue {
  private static let stateKey: DispatchSpecificKey<QueueState> = DispatchSpecificKey()
  /// Guards the first look-up for a queue, so that two threads do not create two states for one queue.
  private static let pairing: Guarded<Bool> = Guarded(false)

  var state: QueueState {
    if let state = getSpecific(key: Self.stateKey) { return state }
    return Self.pairing.withLock { _ in
      if let state = getSpecific(key: Self.stateKey) { return state }
      let state = QueueState()
      setSpecific(key: state.key, value: true)
      setSpecific(key: Self.stateKey, value: state)
      return state
    }
  }

  /// The turns that all objects on this queue share.
  var turns: QueueTurns {
    let (turns, old) = state.turns.withLock { handle -> (QueueTurns, WeakHandle<QueueTurns>?) in
      if let turns = handle?.object { return (turns, nil) }
      let turns = QueueTurns(self)
      defer { handle = WeakHandle(turns) }
      return (turns, handle)
    }
    // The memory of deallocated turns is released here, after the lock is released.
    withExtendedLifetime(old) {}
    return turns
  }
}
