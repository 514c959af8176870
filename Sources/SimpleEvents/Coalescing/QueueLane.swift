internal import Dispatch

/// The turns of one dispatch queue, which its callbacks share: one hop serves all that are waiting.
///
/// A hop of its own for each callback costs several times what that then does. What is asked for while a
/// hop is under way waits for the next one, first in first out, so that nobody starves.
///
/// On a concurrent queue a hop can overlap the one before, and a long callback would hold up those behind it
/// for no reason. Dispatch does not tell such queues apart; two hops at once do, and from then on every
/// callback has a hop of its own.
final class QueueLane: Sendable {
  private struct State {
    var waiting: ContiguousArray<Waiting> = []
    /// Whether a hop has been queued that has not begun.
    var isHopQueued: Bool = false
    /// How many hops are under way.
    var hops: Int = 0
    var isConcurrent: Bool = false
  }

  /// NB: weak, so that a callback that goes away while it waits is not given its turn (E6).
  private struct Waiting {
    weak var callback: CoalescingCallback?
  }

  let queue: DispatchQueue
  /// Guards who is waiting. Turns are taken, and callbacks let go, after the lock.
  private let state: Guarded<State> = Guarded(State())

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  func ask(for callback: CoalescingCallback) {
    let needsHop = state.withLock { state in
      // NB: made in its place. A weak reference is slow to copy.
      state.waiting.append(Waiting(callback: callback))
      defer { state.isHopQueued = true }
      return !state.isHopQueued || state.isConcurrent
    }
    if needsHop {
      queue.async { [self] in hop() }
    }
  }

  private func hop() {
    let batch = state.withLock { state -> ContiguousArray<Waiting> in
      state.isConcurrent = state.isConcurrent || state.hops > 0
      state.hops += 1
      state.isHopQueued = false
      defer { state.waiting = [] }
      return state.waiting
    }
    batch.withUnsafeBufferPointer { batch in
      for index in batch.indices {
        // NB: read in its place, as above.
        batch[index].callback?.turn()
      }
    }
    state.withLock { $0.hops -= 1 }
  }
}

extension DispatchQueue {
  /// The lane that all callbacks on this queue share.
  var lane: QueueLane {
    companion.shared.withLock { shared in
      if let lane = shared.object {
        // Nothing else is ever put there.
        return unsafeDowncast(lane, to: QueueLane.self)
      }
      let lane = QueueLane(self)
      shared.object = lane
      return lane
    }
  }
}
