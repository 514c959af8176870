internal import Dispatch

/// The turns of one dispatch queue. All objects that deliver on the queue share them.
///
/// One block of the queue, a *hop*, wakes all objects that wait for a turn.
///
/// A hop for each object would cost several times as much as the delivery. A request that comes during a hop
/// is served by the next hop, first in, first out, so that no object is starved.
final class QueueTurns: TurnSource, @unchecked Sendable {
  // SAFETY: the superclass is `Sendable`, and a lock guards the state of this class.

  private struct State {
    /// The objects that wait for a turn. The handles are weak, so that an object that is deallocated while it
    /// waits gets no turn (E6).
    var waiting: ContiguousArray<WakeTarget> = []
    /// Whether a queued hop has not begun yet.
    var isHopQueued: Bool = false
  }

  /// Guards the objects that wait. The objects are woken, and their handles are released, after the lock is
  /// released.
  private let state: Guarded<State> = Guarded(State())
  private let queue: DispatchQueue
  /// Marks the queue as the current one.
  private let key: DispatchSpecificKey<Bool>

  init(_ queue: DispatchQueue) {
    self.queue = queue
    key = queue.state.key
    super.init(queue)
  }

  override var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }

  override var canLoseTurns: Bool { false }

  // Reads the clock without a call of the scheduler, because reading the clock is most of the cost of a
  // debounced signal.
  override package var now: EventInstant { .uptime }

  override func ask(for object: WakeTarget) {
    let needsHop = state.withLock { state in
      state.waiting.append(object)
      defer { state.isHopQueued = true }
      return !state.isHopQueued
    }
    if needsHop { queue.async { [self] in hop() } }
  }

  private func hop() { SharedBatch(state.exchange(State()).waiting) { $0.wake(.turn) }.run(on: queue) }
}
