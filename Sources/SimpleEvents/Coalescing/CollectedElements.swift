/// An object that accepts signals with elements, under the lock of its coalescer.
@usableFromInline package protocol SignalReceiver: AnyObject {
  var subject: DiagnosticSubject { get }

  /// Accepts a signal with elements.
  ///
  /// - Parameters:
  ///   - isAdmitted: A function that is called under the lock. If it returns false, the signal has no effect.
  ///   - store: A function that stores the elements, or counts them as dropped if the policy ignores the
  ///     signal. It is called under the lock, and returns whether a batch is full.
  /// - Returns: Whether the signal is admitted.
  func signal(if isAdmitted: () -> Bool, storing store: (_ isAccepted: Bool) -> Bool) -> Bool

  /// Reads or changes the elements under the lock.
  func withLock<Result>(_ body: () -> Result) -> Result
}

/// The queued elements of a collector or of a batch loop.
///
/// The lock of a coalescer guards the elements. An element is stored in the step in which its signal is
/// accepted. Elements that are not going to be delivered are passed to ``discard(_:)`` after the lock is
/// released. The user's functions are called under no lock.
@usableFromInline package final class CollectedElements<Element> {
  @usableFromInline let rules: CollectorRules<Element>
  /// The user's function that receives the elements that are not going to be delivered; nil if there is none.
  @usableFromInline let onDrop: (@Sendable (Element) -> Void)?
  /// Whether a new element displaces the oldest one. The value is nil if ``onDrop`` is set, if batches have a
  /// size, or if the rule compares or combines elements. The fastest additions read only this byte.
  @usableFromInline let displacesSilently: Bool?
  // SAFETY: the store is used under the coalescer's lock only, so no two accesses overlap. A check at run
  // time would cost as much as the lock, for each element.
  @exclusivity(unchecked) @usableFromInline var store: CollectorStore<Element>

  package init(
    keeping limit: ElementLimit<Element>, batchSize: Int = .max, onDrop: (@Sendable (Element) -> Void)? = nil,
    for subject: DiagnosticSubject
  ) {
    rules = CollectorRules(keeping: limit, batchSize: batchSize, countsIgnored: true, for: subject)
    self.onDrop = onDrop
    displacesSilently = onDrop == nil && rules.batchSize == .max ? rules.rule.displacesOldest : nil
    unsafe store = CollectorStore(limit: rules.limit)
  }

  deinit { discard(unsafe store.takeBatch()) }

  /// The number of elements. Called under the lock.
  package var count: Int { unsafe store.count }

  /// Describes the queued elements to the gate, after a batch was taken. Called under the lock.
  package var rest: CoalescingGate.Rest { unsafe rules.rest(store) }

  /// Whether elements that were queued at a flush are still queued. Called under the lock.
  var isFlushing: Bool { unsafe store.flushed > 0 }

  /// Marks all queued elements, so that none of them waits for a window; returns their number. Called under
  /// the lock.
  @discardableResult package func flush() -> Int {
    if rules.batchSize < .max { unsafe store.flushed = count }
    return count
  }

  /// Takes a batch, or the elements that fill up an older batch. Called under the lock.
  /// - Parameter older: The number of elements of the older batch.
  package func takeBatch(joining older: Int = 0) -> ElementBatch<Element> {
    unsafe store.takeBatch(upTo: max(0, rules.batchSize - older))
  }

  /// Takes all elements. Called under the lock.
  package func takeAll() -> ElementBatch<Element> { unsafe store.takeBatch() }

  /// Passes each element to ``onDrop``, if that function is set. The elements are not going to be delivered.
  /// Called under no lock.
  @usableFromInline package func discard(_ elements: some Sequence<Element>) {
    if let onDrop { elements.forEach(onDrop) }
  }

  /// Returns the elements of two batches in one batch, merged by the rule and within the limit.
  ///
  /// The method calls the functions of the rule under no lock, and discards the elements for which there is
  /// no room.
  package func merge(
    _ older: ElementBatch<Element>, _ newer: ElementBatch<Element>
  ) -> ElementBatch<Element> {
    var batch = older
    discard(batch.append(newer, within: rules.limit, by: rules.rule))
    return batch
  }

  /// Adds an element if its signal joins the pending delivery. In a storm, most signals do.
  /// - Returns: False if the caller must add the element with ``add(_:to:)``.
  @inlinable @inline(__always)
  package func join(_ element: Element, _ coalescer: borrowing Coalescer) -> Bool {
    guard let displacesOldest = displacesSilently else { return joinOrDrop(element, coalescer) }
    // The displaced element is released when this method returns, after the lock is released.
    var displaced: Element?
    let isJoined = coalescer.join {
      unsafe displaced = store.addToWhole(element, displacingOldest: displacesOldest)
      return true
    }
    withExtendedLifetime(displaced) {}
    return isJoined
  }

  /// Adds an element as ``join(_:_:)`` does. Called if ``onDrop`` is set, if batches have a size, or if the
  /// rule compares or combines elements. With such a rule, the method always returns false.
  @inlinable @inline(never)
  func joinOrDrop(_ element: Element, _ coalescer: borrowing Coalescer) -> Bool {
    rules.join(element) { body in
      coalescer.join { unsafe body(&store) }
    } discarding: {
      onDrop?($0)
    }
  }

  /// Adds an element.
  @usableFromInline package func add(_ element: Element, to receiver: some SignalReceiver) {
    rules.add(element, to: QueuedElements(elements: self, receiver: receiver))
  }

  /// Adds elements, in one step if the rule allows it.
  @inlinable package func add(contentsOf elements: some Sequence<Element>, to receiver: some SignalReceiver) {
    rules.add(contentsOf: elements, to: QueuedElements(elements: self, receiver: receiver))
  }
}

/// The elements of a collector or of a batch loop together with the object that accepts their signals.
@frozen @usableFromInline struct QueuedElements<Element, Receiver: SignalReceiver>: ElementReceiver {
  @usableFromInline let elements: CollectedElements<Element>
  @usableFromInline let receiver: Receiver

  @inlinable init(elements: CollectedElements<Element>, receiver: Receiver) {
    self.elements = elements
    self.receiver = receiver
  }

  @usableFromInline var subject: DiagnosticSubject { receiver.subject }

  @usableFromInline func signal(
    if isAdmitted: (borrowing CollectorStore<Element>) -> Bool,
    storing store: (inout CollectorStore<Element>, _ isAccepted: Bool) -> Bool
  ) -> Bool {
    receiver.signal(if: { unsafe isAdmitted(elements.store) }, storing: { unsafe store(&elements.store, $0) })
  }

  @usableFromInline func withStore<Result>(_ body: (inout CollectorStore<Element>) -> Result) -> Result {
    receiver.withLock { unsafe body(&elements.store) }
  }

  @usableFromInline func withThreads<Result>(_ body: (inout [ThreadIdentity]) -> Result) -> Result {
    withStore { body(&$0.combining) }
  }

  @usableFromInline func discard(_ discarded: some Sequence<Element>) { elements.discard(discarded) }
}

// SAFETY: elements cross threads through the coalescer's lock. The functions of a rule are `Sendable`, or are
// those of `Hashable`. All other properties are immutable.
extension CollectedElements: @unchecked Sendable where Element: Sendable {}
