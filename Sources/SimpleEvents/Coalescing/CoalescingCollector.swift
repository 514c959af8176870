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
/// The elements of a batch are in the order in which they were added. The limit bounds the memory of a collector, and
/// the batch counts the elements that it has dropped. An element that is added during a delivery is part of the next
/// batch. Keep a reference: deallocation discards the elements.
///
/// A collector is `Sendable` if its elements are, because they cross from the adding thread to the scheduler.
///
/// Contracts: C1 to C9, E9, see <doc:Contracts>.
public final class CoalescingCollector<Element> {
  /// A batch of elements.
  public typealias Batch = CollectorBatch<Element>

  private let coalescer: Coalescer
  private let subject: DiagnosticSubject
  private let origin: BlockOrigin
  private let block: (Batch) -> Void
  @usableFromInline let rule: CollectorLimit<Element>.Rule
  /// Guards the elements. They are compared, delivered and released after the lock.
  @usableFromInline let store: Guarded<CollectorStore<Element>>

  /// Creates a collector without elements.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which the block runs, and whose clock measures windows.
  ///   - policy: The rule by which additions become deliveries.
  ///   - limit: The number of elements to keep, and the rule by which the others are dropped.
  ///   - label: The name of the collector in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: Called with the elements, never with none. If it is isolated to an actor, the scheduler must deliver on
  ///     that actor (E9).
  public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    keeping limit: CollectorLimit<Element>, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line, block: @escaping @isolated(any) (Batch) -> Void
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    let origin = BlockOrigin(block.isolation, at: subject.site)
    self.init(on: scheduler, policy: policy, keeping: limit, subject, origin, StoredBlock(block).call)
  }

  init(
    on scheduler: some EventScheduler, policy: CoalescingPolicy, keeping limit: CollectorLimit<Element>,
    _ subject: DiagnosticSubject, _ origin: BlockOrigin, _ block: @escaping (Batch) -> Void
  ) {
    self.subject = subject
    self.origin = origin
    self.block = block
    coalescer = Coalescer(on: scheduler, policy: policy, subject)
    rule = limit.rule
    store = Guarded(CollectorStore(limit: max(1, limit.count)))
    if limit.count < 1 { subject.misuse.flag(.limitBelowOne(limit.count, of: subject)) }
  }

  /// Whether a batch is delivered without a further addition.
  public var isPending: Bool { coalescer.isPending }

  /// Adds an element.
  ///
  /// Callable from any thread where the element is `Sendable`. The block does not run before this call has returned (C5).
  ///
  /// - Complexity: Amortised O(1).
  @inlinable public func add(_ element: Element) {
    insert(element)
    signal()
  }

  /// Adds elements in order, with one signal for all of them.
  ///
  /// Callable from any thread where the elements are `Sendable`.
  ///
  /// - Complexity: Amortised O(n) in the number of elements.
  @inlinable public func add(contentsOf elements: some Sequence<Element>) {
    var isEmpty = true
    for element in elements {
      insert(element)
      isEmpty = false
    }
    if !isEmpty { signal() }
  }

  /// Discards the elements, drops the pending delivery and closes the window.
  ///
  /// Idempotent, callable from any thread (C7, C9).
  public func cancel() {
    coalescer.cancel()
    _ = takeBatch()
  }

  /// Delivers the elements now if a delivery is pending, on the calling thread, and closes the window.
  ///
  /// Call it on the scheduler (C7).
  public func flush() {
    if coalescer.flush(subject) { deliver() }
  }

  /// Discards the elements, and delivers none that another thread may be adding (E6).
  func close() {
    coalescer.close()
    _ = takeBatch()
  }

  @inlinable func insert(_ element: Element) {
    let displaced: Element?
    switch rule {
    case .newest: displaced = store.withLock { $0.addNewest(element) }
    case .oldest: displaced = store.withLock { $0.addOldest(element) }
    case .distinct(let distinction): displaced = insertDistinct(element, distinction)
    }
    // The displaced element is released here, after the lock.
    withExtendedLifetime(displaced) {}
  }

  /// Adds an element at the place of an equal one, or behind the others.
  ///
  /// Hashing and comparing are the user's code, so they run outside the lock. They are repeated if another element has been
  /// added in between.
  @usableFromInline
  func insertDistinct(_ element: Element, _ distinction: CollectorLimit<Element>.Distinction) -> Element? {
    let hash = distinction.hash(element)
    while true {
      let candidates = store.withLock { $0.candidates(hash) }
      let place = candidates.place { distinction.areEqual($0, element) }
      let (isAdded, displaced) = store.withLock { $0.addDistinct(element, hash, at: place, of: candidates) }
      if isAdded { return displaced }
    }
  }

  @usableFromInline func signal() { coalescer.signal(for: self) }

  private func deliver() {
    let batch = takeBatch()
    if !batch.isEmpty {
      origin.flagIfElsewhere(subject)
      block(batch)
    }
    coalescer.finish(for: self)
  }

  private func takeBatch() -> Batch { store.withLock { $0.takeBatch() } }
}

extension CoalescingCollector: Wakeable {
  package func wake(_ cause: WakeCause) {
    if coalescer.wake(cause, for: self) { deliver() }
  }
}

// SAFETY: elements cross threads through the store's lock, and the block is called on the scheduler, never twice at once
// (C1). The functions of a rule are those of `Hashable`, or use a `Sendable` key path. All other properties are immutable,
// atomic or behind a lock.
extension CoalescingCollector: @unchecked Sendable where Element: Sendable {}
