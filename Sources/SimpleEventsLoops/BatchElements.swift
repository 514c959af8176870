public import SimpleEvents

/// The elements that are queued for the runs of a batch loop.
///
/// A run takes the elements that were added before it begins, up to the size of a batch. The batch of a
/// failed run is kept separately. The task of the next run merges that batch with queued elements under no
/// lock, because a merge calls functions of the user.
///
/// While an element is queued, a run is pending: the element is stored in one step with its signal, and it is
/// removed when a run takes it or when its signal is dropped. A run may find no element, however, and then
/// does not call the body.
@usableFromInline package final class BatchElements<Element: Sendable> {
  package typealias Batch = ElementBatch<LoopElement<Element>>

  @usableFromInline package let queued: CollectedElements<LoopElement<Element>>
  // SAFETY: the batch is used under the coalescer's lock only, so no two accesses overlap.
  /// The batch that is retried. It is released after the lock is released.
  @exclusivity(unchecked) private var returned: Batch?
  /// The number of dropped elements that earlier attempts of the batch in progress have reported. Only the
  /// task of a run uses it.
  private var reportedDrops: Int = 0

  package init(
    keeping limit: ElementLimit<Element>, batchSize: Int = .max,
    onDrop: (@Sendable (Element) -> Void)? = nil, for subject: DiagnosticSubject
  ) {
    let limit: ElementLimit<LoopElement<Element>> = limit.wrapped(
      { $0.element }, { LoopElement.succeed($0, $1, $2) })
    var dropped: (@Sendable (LoopElement<Element>) -> Void)?
    if let onDrop { dropped = { onDrop($0.element) } }
    queued = CollectedElements(
      keeping: limit, batchSize: batchSize, onDrop: dropped, for: subject)
  }

  /// Whether no element is queued for a run. Called under the lock.
  package var isEmpty: Bool { count == 0 }

  /// The number of queued elements. Called under the lock.
  package var count: Int { unsafe (returned?.count ?? 0) + queued.count }
}

extension BatchElements: LoopInput {
  package var hasElements: Bool { true }
  package var rest: CoalescingGate.Rest { queued.rest }

  package func flush() { queued.flush() }

  package func take() -> (older: Batch?, newer: Batch) {
    // If no element is queued, the count of dropped elements stays for the next batch that has an element.
    guard !isEmpty else { return (nil, Batch()) }
    defer { unsafe returned = nil }
    return unsafe (returned, queued.takeBatch(joining: returned?.count ?? 0))
  }

  package func value(of taken: (older: Batch?, newer: Batch)) -> LoopBatch<Element>? {
    reportedDrops = taken.older?.droppedCount ?? 0
    guard let older = taken.older else { return taken.newer.isEmpty ? nil : LoopBatch(taken.newer) }
    return LoopBatch(queued.merge(older, taken.newer))
  }

  package func keep(_ batch: LoopBatch<Element>) {
    assert(unsafe returned == nil, "L1: one batch at a time is in a run")
    unsafe returned = batch.elements
  }

  package func answer(_ batch: LoopBatch<Element>, _ error: (any Error)?) {
    for element in batch.awaited { element.endWaits(with: error) }
  }

  package func discard(_ batch: LoopBatch<Element>) { queued.discard(batch.elements) }

  package func takeAll() -> (() -> Void)? {
    defer { unsafe returned = nil }
    let (older, newer) = unsafe (returned, queued.takeAll())
    if older == nil && newer.isEmpty { return nil }
    return { [queued] in
      if let older { queued.discard(older) }
      queued.discard(newer)
    }
  }

  package func droppedCount(_ batch: LoopBatch<Element>) -> Int {
    batch.elements.droppedCount - reportedDrops
  }
}

/// The batch of a run, with and without the callers that wait for its elements.
package struct LoopBatch<Element: Sendable>: Sendable {
  let elements: ElementBatch<LoopElement<Element>>
  /// The elements that callers wait for.
  let awaited: [AwaitedElement<Element>]
  package let batch: ElementBatch<Element>

  package init(_ elements: ElementBatch<LoopElement<Element>>) {
    self.elements = elements
    var all: [AwaitedElement<Element>] = []
    batch = elements.mapElements {
      if case .awaited(let awaited) = $0 { all.append(awaited) }
      return $0.element
    }
    awaited = all
  }
}

// SAFETY: elements are `Sendable`, and cross threads through the coalescer's lock. The functions of a rule
// are `Sendable`, or are those of `Hashable`. One task at a time makes a run, and the lock orders each run
// after the previous one.
extension BatchElements: @unchecked Sendable {}
