/// The runs of a batch loop, and the elements that are queued for them.
///
/// A run takes all elements that were added before. The batch of a failed run is kept separately, and the
/// next run merges it with the queued elements: the task of the run calls the functions of the user, under no
/// lock.
///
/// For every queued element a run is pending: the element is stored with its signal, a run that has begun
/// takes it, and it is discarded after its signal. The reverse does not hold: a run may find no element. It
/// then does not call the body.
// SAFETY: elements are `Sendable`, and cross threads through the coalescer's lock. The functions of a rule
// are those of `Hashable`, or `Sendable`. The rest is the superclass's.
@usableFromInline package final class BatchRuns<Element: Sendable>: RefreshRuns, @unchecked Sendable {
  @usableFromInline package typealias Batch = CollectorBatch<Element>

  @usableFromInline let rule: CollectorLimit<Element>.Rule
  private let limit: Int
  // SAFETY: used under the coalescer's lock only, so no two accesses overlap. A check of that at run time
  // would cost as much as the lock, for each element.
  /// The elements that were added since a run began. They are compared, combined and released after the lock.
  @exclusivity(unchecked) @usableFromInline var store: CollectorStore<Element>
  /// The batch that is retried. Guarded by the coalescer's lock, and released after it.
  private var returned: Batch?
  /// The number of dropped elements that earlier attempts of the batch in progress have reported. Used by the
  /// task of a run.
  private(set) var reportedDrops: Int = 0

  package init(
    on scheduler: some EventScheduler, policy: CoalescingPolicy, keeping limit: CollectorLimit<Element>,
    retry: Backoff = .never, _ subject: DiagnosticSubject, start: Start?
  ) {
    rule = limit.rule
    self.limit = max(1, limit.count)
    unsafe store = CollectorStore(limit: self.limit)
    if limit.count < 1 { subject.misuse.flag(.limitBelowOne(limit.count, of: subject)) }
    super.init(on: scheduler, policy: policy, whenBusy: .rerun, retry: retry, subject, start: start)
  }

  /// Adds an element, from any thread.
  @inlinable package func add(_ element: Element) { collect(element) }

  /// Whether elements are queued for a run.
  package var hasElements: Bool {
    coalescer.withLock { unsafe returned != nil || !store.batch.isEmpty }
  }

  /// The number of queued elements.
  final var elementCount: Int {
    coalescer.withLock { unsafe (returned?.count ?? 0) + store.batch.count }
  }

  /// Takes the elements for a run; returns nil if there are none.
  package func takeBatch() -> Batch? {
    let (older, newer) = coalescer.withLock { () -> (Batch?, Batch) in
      // The dropped elements are counted in the next batch that has an element.
      guard unsafe returned != nil || !store.batch.isEmpty else { return (nil, Batch()) }
      defer { returned = nil }
      return unsafe (returned, store.takeBatch())
    }
    reportedDrops = older?.droppedCount ?? 0
    guard var batch = older else { return newer.isEmpty ? nil : newer }
    batch.append(newer, within: limit, by: rule)
    return batch
  }

  /// Keeps the batch of the run in progress for another attempt.
  package func putBack(_ batch: Batch) {
    coalescer.withLock {
      assert(returned == nil, "L1: one batch at a time is in a run")
      returned = batch
    }
  }

  override func takeElements() -> Any? {
    coalescer.withLock { () -> (Batch?, Batch) in
      defer { returned = nil }
      return unsafe (returned, store.takeBatch())
    }
  }
}

extension BatchRuns: Collecting {
  @usableFromInline var keepsIgnored: Bool { false }

  @inlinable @inline(__always)
  func signal(
    if isAdmitted: (CollectorStore<Element>) -> Bool,
    storing store: (_ elements: inout CollectorStore<Element>, _ isAccepted: Bool) -> Void
  ) -> Bool {
    switch coalescer.join(
      if: { unsafe isAdmitted(self.store) }, storing: { unsafe store(&self.store, $0) })
    {
    case .joined: true
    case .refused: false
    case .uncovered: signalUncovered(if: isAdmitted, storing: store)
    }
  }

  @usableFromInline func signalUncovered(
    if isAdmitted: (CollectorStore<Element>) -> Bool,
    storing store: (_ elements: inout CollectorStore<Element>, _ isAccepted: Bool) -> Void
  ) -> Bool {
    let priority = callerPriority
    return coalescer.signalUncovered(
      for: self, if: { unsafe isAdmitted(self.store) },
      storing: { isAccepted in
        unsafe store(&self.store, isAccepted)
        note(priority)
      })
  }

  @usableFromInline func withStore<Result>(_ body: (inout CollectorStore<Element>) -> Result) -> Result {
    coalescer.withLock { unsafe body(&store) }
  }
}
