internal import Dispatch
internal import Synchronization

/// The turns of one dispatch queue, which its callbacks share: one hop serves all that are waiting.
///
/// A hop of its own for each callback costs several times what that then does. What is asked for while a
/// hop is under way waits for the next one, first in first out, so that nobody starves.
///
/// On a concurrent queue a long callback must not hold up those behind it, and may even wait for one of
/// them. Dispatch does not tell such queues apart, so a hop that has more than one to serve sends another
/// one along to share them. On a serial queue that comes when all is done, and finds nothing.
final class QueueLane: Sendable {
  private struct State {
    /// Not held, so that a callback that goes away while it waits is not given its turn (E6).
    var waiting: ContiguousArray<WeakHandle<CoalescingCallback>> = []
    /// Whether a hop has been queued that has not begun.
    var isHopQueued: Bool = false
  }

  /// Those whom a hop serves, alone or with others.
  private final class Batch: Sendable {
    let waiting: ContiguousArray<WeakHandle<CoalescingCallback>>
    /// Whose turn it is. Relaxed: whoever gets a number got the batch through the queue.
    private let next: Atomic<Int> = Atomic(0)

    init(_ waiting: ContiguousArray<WeakHandle<CoalescingCallback>>) {
      self.waiting = waiting
    }

    var hasMoreThanOne: Bool { next.load(ordering: .relaxed) < waiting.count - 1 }

    func takeNumber() -> Int? {
      let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
      return number < waiting.count ? number : nil
    }
  }

  let queue: DispatchQueue
  /// Guards who is waiting. Turns are taken, and callbacks let go, after the lock.
  private let state: Guarded<State> = Guarded(State())

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  func ask(for callback: CoalescingCallback) {
    let needsHop = state.withLock { state in
      state.waiting.append(WeakHandle(callback))
      defer { state.isHopQueued = true }
      return !state.isHopQueued
    }
    if needsHop {
      queue.async { [self] in hop() }
    }
  }

  private func hop() {
    serve(
      state.withLock { state in
        state.isHopQueued = false
        defer { state.waiting = [] }
        return Batch(state.waiting)
      })
  }

  private func serve(_ batch: Batch) {
    if batch.hasMoreThanOne {
      queue.async { [self] in serve(batch) }
    }
    while let number = batch.takeNumber() {
      batch.waiting[number].object?.turn()
    }
  }
}

extension DispatchQueue {
  /// The lane that all callbacks on this queue share.
  var lane: QueueLane {
    companion.shared.withLock { shared in
      if let lane = shared?.object {
        // Nothing else is ever put there.
        return unsafeDowncast(lane, to: QueueLane.self)
      }
      let lane = QueueLane(self)
      shared = WeakHandle(lane)
      return lane
    }
  }
}
