internal import Dispatch
internal import Synchronization

/// The turns of one dispatch queue, shared by all objects that deliver there: one hop serves all waiting objects.
///
/// A hop for each object would cost several times as much as the delivery. A request during a hop waits for the
/// next one, first in first out, so that no object is starved.
///
/// On a concurrent queue a long delivery must not hold up the ones behind it, and may even wait for one of them.
/// Dispatch does not say whether a queue is concurrent, so a hop with more than one object to serve queues another
/// hop to share them. On a serial queue that one comes when all objects are served, and finds none.
final class QueueLane: TurnSource, @unchecked Sendable {
  // SAFETY: as its superclass. The state is behind a lock.

  private struct State {
    /// Handles, so that an object that is deallocated while it waits is not given its turn (E6).
    var waiting: ContiguousArray<WakeHandle> = []
    /// Whether a hop is queued that has not begun.
    var isHopQueued: Bool = false
  }

  /// The objects that one hop serves, alone or together with another hop.
  private final class Batch: Sendable {
    let waiting: ContiguousArray<WakeHandle>
    /// The index of the next object. Relaxed, because the batch itself reaches each hop through the queue.
    private let next: Atomic<Int> = Atomic(0)

    init(_ waiting: ContiguousArray<WakeHandle>) { self.waiting = waiting }

    var hasMoreThanOne: Bool { next.load(ordering: .relaxed) < waiting.count - 1 }

    func takeIndex() -> Int? {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      return index < waiting.count ? index : nil
    }
  }

  /// Guards the objects that wait. They are woken, and their handles released, after the lock.
  private let state: Guarded<State> = Guarded(State())

  /// Marks the queue as the current one.
  private let key: DispatchSpecificKey<Bool>

  init(_ queue: DispatchQueue) {
    key = queue.companion.key
    super.init(queue)
  }

  override var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }

  // Reads the clock without the scheduler, because that is most of the cost of a debounced signal.
  override var now: EventInstant { .uptime }

  override func ask(for object: WakeHandle) {
    let needsHop = state.withLock { state in
      state.waiting.append(object)
      defer { state.isHopQueued = true }
      return !state.isHopQueued
    }
    if needsHop { scheduler.schedule { [self] in hop() } }
  }

  private func hop() { serve(Batch(state.exchange(State()).waiting)) }

  private func serve(_ batch: Batch) {
    if batch.hasMoreThanOne { scheduler.schedule { [self] in serve(batch) } }
    while let index = batch.takeIndex() { batch.waiting[index].wake(.turn) }
  }
}
