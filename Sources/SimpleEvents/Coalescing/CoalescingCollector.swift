/// A callback with a payload: it collects elements from any thread and delivers them in batches.
///
/// ```swift
/// let collector = CoalescingCollector<String>(
///   on: queue, policy: .debounce(.milliseconds(100)), keeping: .distinct(1000)
/// ) { paths in
///   paths.droppedCount == 0 ? reindex(paths) : reindexEverything()
/// }
/// collector.add("a.swift")
/// ```
///
/// The elements of a batch are in the order in which they were added; with `.distinct`, the newer of two
/// equal elements is at the place of the older one. The limit bounds the memory of a collector, and each
/// batch counts the elements that the limit has dropped. An element that is added during a delivery is not
/// part of its batch. Keep a reference to the collector, because its deallocation discards the elements.
///
/// An element may carry a promise, such as a continuation. Pass `onDrop:` to receive each element that is
/// dropped or discarded, so that no task waits forever. The function does not receive an element that another
/// element replaces, or that is combined with another element (C9):
///
/// ```swift
/// let lookups = CoalescingCollector<Lookup>(
///   on: queue, keeping: .newest(1000), onDrop: { $0.continuation.resume(throwing: Overload()) }
/// ) { batch in
///   answer(batch)
/// }
/// ```
///
/// A collector is `Sendable` if its elements are, because they cross from the adding thread to the scheduler.
///
/// With a batch size, a batch is delivered when it is full, or when the policy delivers (C12):
///
/// ```swift
/// let spans = CoalescingCollector<Span>(
///   on: queue, policy: .audit(.seconds(5)), keeping: .newest(2048), batchSize: 512
/// ) { batch in
///   export(batch)
/// }
/// ```
///
/// Contracts: C1 to C12, E9, see <doc:Contracts>.
public final class CoalescingCollector<Element> {
  /// A batch of elements.
  public typealias Batch = ElementBatch<Element>

  @usableFromInline let coalescer: Coalescer
  @usableFromInline package let subject: DiagnosticSubject
  private let origin: BlockIsolation
  private let block: (Batch) -> Void
  /// The elements. They are compared, combined, delivered and discarded while the lock is not held.
  @usableFromInline let elements: CollectedElements<Element>

  /// Creates a collector without elements.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which the block runs, and whose clock measures windows.
  ///   - policy: The rule by which additions become deliveries.
  ///   - limit: The number of elements to keep, and the rule by which further elements are dropped.
  ///   - batchSize: The largest number of elements in a batch, at least one. When this number of elements is
  ///     queued, these elements are delivered on the next turn, whatever the policy. By default, and with a
  ///     size above the limit, a batch has all queued elements. A size for `.combined` is flagged (C12).
  ///   - onDrop: The function that receives, once, each element that is dropped or discarded. The limit or
  ///     the policy has dropped the element, or it was discarded by ``cancel()``, by deallocation or by the
  ///     loss of the scheduler (C9). The function is called in the call that causes the drop, under no
  ///     lock. It may call the collector, but must not add a dropped element again.
  ///   - label: The name of the collector in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: The block that receives a batch of one or more elements. If it is isolated to an actor, the
  ///     scheduler must deliver on that actor (E9).
  public init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    keeping limit: ElementLimit<Element>, batchSize: Int = .max,
    onDrop: (@Sendable (Element) -> Void)? = nil, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID,
    line: UInt = #line, block: @escaping @isolated(any) (Batch) -> Void
  ) {
    subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    origin = BlockIsolation(block.isolation, at: subject.site)
    self.block = StoredBlock(block).call
    coalescer = Coalescer(on: scheduler, policy: policy, subject)
    elements = CollectedElements(keeping: limit, batchSize: batchSize, onDrop: onDrop, for: subject)
  }

  /// The name of the collector in diagnostics.
  public var label: String? { subject.label }

  /// Whether a batch is delivered without a further addition.
  public var isPending: Bool { coalescer.isPending }

  /// The number of queued elements.
  public var count: Int { withLock { elements.count } }

  /// Adds an element.
  ///
  /// The method may be called from any thread if the element is `Sendable`, and does not run the block itself
  /// (C5). An element that a leading-only policy ignores is dropped and counted (C9).
  ///
  /// - Complexity: Amortised O(1).
  @inlinable public func add(_ element: Element) {
    if !elements.join(element, coalescer) { elements.add(element, to: self) }
  }

  /// Adds elements in order.
  ///
  /// With the rules `newest`, `oldest` and `unlimited` the elements are added in one step, with one signal
  /// for all. With the other rules, or with a batch size, the elements are added one by one.
  ///
  /// The method may be called from any thread if the elements are `Sendable`.
  ///
  /// - Complexity: Amortised O(n) in the number of elements.
  @inlinable public func add(contentsOf elements: some Sequence<Element>) {
    self.elements.add(contentsOf: elements, to: self)
  }

  /// Discards the elements, drops the pending delivery and closes the window.
  ///
  /// The method is idempotent, and may be called from any thread (C7, C9).
  public func cancel() {
    var batch = Batch()
    coalescer.cancel { batch = elements.takeAll() }
    elements.discard(batch)
  }

  /// Makes the pending delivery now, on the calling thread, and closes the window.
  ///
  /// With a batch size, all elements that are queued at the call are delivered, batch by batch. Call this
  /// method on the scheduler (C7).
  public func flush() {
    var left = withLock { elements.flush() }
    // A flush off the scheduler is flagged once, and not for each batch.
    var flagged: DiagnosticSubject? = subject
    repeat {
      // Each delivery has its own variable, so that the elements of a batch are released after the lock is
      // released.
      var batch = Batch()
      let delivers = coalescer.flush(flagged.take()) {
        batch = elements.takeBatch()
        return elements.rest
      }
      guard delivers else { return }
      deliver(batch)
      left -= batch.count
    } while left > 0 && withLock { elements.isFlushing }
  }

  private func deliver(_ batch: Batch) {
    assert(!batch.isEmpty, "C9: an element is stored in the step in which its signal is accepted")
    origin.flagIfOffActor(subject)
    block(batch)
    coalescer.finish(for: self, subject, dropped: batch.droppedCount)
  }
}

extension CoalescingCollector: SignalReceiver {
  @usableFromInline package func signal(
    if isAdmitted: () -> Bool, storing store: (_ isAccepted: Bool) -> Bool
  ) -> Bool {
    coalescer.attempt(for: self, if: isAdmitted, storing: store)
  }

  @usableFromInline package func withLock<Result>(_ body: () -> Result) -> Result { coalescer.withLock(body) }
}

extension CoalescingCollector: Wakeable {
  package func wake(_ cause: WakeCause) {
    var batch = Batch()
    let effect = coalescer.wake(cause, for: self) { delivers in
      batch = delivers ? elements.takeBatch() : elements.takeAll()
      return elements.rest
    }
    switch effect {
    case .delivers: deliver(batch)
    case .loses: elements.discard(batch)
    case .none: break
    }
  }
}

extension CoalescingCollector: CustomStringConvertible {
  /// The type and the label, and the number of pending elements.
  public var description: String {
    let count = count
    return coalescer.description(subject.name, pending: count > 0 ? counted(count, "element") : nil)
  }
}

// SAFETY: elements cross threads through the coalescer's lock, and the block is called on the scheduler, one
// call at a time (C1). The functions of a rule are `Sendable`, or are those of `Hashable`. Each other
// property is immutable, atomic or guarded by a lock.
extension CoalescingCollector: @unchecked Sendable where Element: Sendable {}

extension CoalescingCollector: PendingObject {
  package var isEndless: Bool { coalescer.isEndless }
}
