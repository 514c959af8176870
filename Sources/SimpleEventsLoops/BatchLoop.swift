public import SimpleEvents

/// An asynchronous body that receives added elements in batches, one batch at a time.
///
/// Elements may be added from any thread, and the policy says when they start a run of the body. A run takes
/// all elements that were added before it begins, in their order, and elements that are added during the run
/// are the next batch. A batch that is retried comes before newer elements, so elements stay in order and
/// none is lost.
///
/// ```swift
/// let changes = BatchLoop<Change>(
///   on: queue, policy: .debounce(.seconds(1), maxWait: .seconds(10)), keeping: .newest(10_000),
///   retry: .exponential(initial: .seconds(1)).maximum(.seconds(60)), label: "changes"
/// ) { batch in
///   try await store.save(batch)
/// } onError: { error, batch in
///   print("\(batch.count) changes are not saved: \(error)")
/// }
/// changes.add(change)
/// ```
///
/// A loop without a body is *hosted*: it is a constant of an actor or of a service, and a task gives it its
/// body with `run`:
///
/// ```swift
/// actor Journal {
///   private let lines = BatchLoop<String>(keeping: .unlimited, label: "journal")
///   nonisolated func add(_ line: String) { lines.add(line) }
///   func run() async throws {
///     try await lines.run { batch in try await self.write(batch) }
///   }
///   private func write(_ lines: ElementBatch<String>) async throws {}
/// }
/// ```
///
/// The limit bounds the memory of a loop, even while a run does not end: it applies to the batch that is in
/// progress or retried, and separately to the queued elements. Elements that the limit drops are counted in
/// the batch, and so are elements that a leading-only policy ignores.
///
/// A body that is isolated to an actor runs there. Any other body runs on the executor of the scheduler, if
/// it has one, and otherwise on the global pool.
///
/// Keep a reference: deallocation discards the queued elements, and does not wait for the run in progress.
///
/// With a batch size, a full batch does not wait for the policy (C12).
///
/// Contracts: L1 to L10, C1 to C12, see the article *Contracts* of the module SimpleEvents.
public final class BatchLoop<Element: Sendable>: Sendable {
  /// A batch of elements.
  public typealias Batch = ElementBatch<Element>

  /// A body. It is called by one task at a time, never with an empty batch.
  public typealias Body = @Sendable @isolated(any) (Batch) async throws -> Void

  /// A receiver of the errors of a body, with the batch of the run that has failed.
  public typealias ErrorHandler = @Sendable @isolated(any) (any Error, Batch) async -> Void

  @usableFromInline let runs: LoopRuns
  let elements: BatchElements<Element>
  /// The queued elements, which an addition then finds in one step.
  @usableFromInline let queued: CollectedElements<LoopElement<Element>>

  /// Creates a loop with a body that may throw.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler whose clock measures windows and the waits between attempts.
  ///   - policy: The rule by which additions start runs.
  ///   - limit: The largest number of queued elements, and the rule by which further ones are dropped.
  ///   - batchSize: The largest number of elements in a batch, at least one. When this number of elements is
  ///     queued, they start a run, whatever the policy. By default, and with a size above the limit, a batch
  ///     has all queued elements. A size for `.combined` is flagged (C12).
  ///   - onDrop: Receives, once, each element that no batch is going to have: the limit or the policy has
  ///     dropped it, or it was discarded by ``cancel()``, by ``stop(cancelling:)``, by deallocation or by the
  ///     loss of the scheduler (C9, L9). It is called in the call that has caused the drop, on its thread, or
  ///     in the task of a run that merges a batch with newer elements. It also receives the batch of a failed
  ///     run that is not repeated and that `onError` does not receive. No lock is held. It may call the loop,
  ///     and must not add an element again that the limit has dropped.
  ///   - retry: The rule by which a batch is tried again after an error (L8).
  ///   - label: The name of the loop in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - body: The work of a run, released once the loop has ended.
  ///   - onError: Receives an error of the body and the batch, before the run counts as over. The batch is
  ///     not kept, unless it is retried. The `CancellationError` of a run that was cancelled is not reported
  ///     (L4, L9).
  public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    keeping limit: ElementLimit<Element>, batchSize: Int = .max,
    onDrop: (@Sendable (Element) -> Void)? = nil,
    retry: Backoff = .never, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext body: @escaping Body, @_inheritActorContext onError: @escaping ErrorHandler
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    let elements = BatchElements<Element>(keeping: limit, batchSize: batchSize, onDrop: onDrop, for: subject)
    self.init(
      on: scheduler, policy: policy, retry: retry, subject, elements,
      start: LoopBody(elements, body, onError: onError).start)
  }

  /// Creates a loop with a body that does not throw.
  public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    keeping limit: ElementLimit<Element>, batchSize: Int = .max,
    onDrop: (@Sendable (Element) -> Void)? = nil,
    label: String? = nil, misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext body: @escaping @Sendable @isolated(any) (Batch) async -> Void
  ) {
    self.init(
      on: scheduler, policy: policy, keeping: limit, batchSize: batchSize, onDrop: onDrop, label: label,
      misuse: misuse,
      fileID: fileID, line: line, body: body, onError: { _, _ in })
  }

  /// Creates a loop that is hosted: a task gives it its body.
  ///
  /// Elements are accepted before there is a host, and between two hosts.
  public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    keeping limit: ElementLimit<Element>, batchSize: Int = .max, retry: Backoff = .never,
    label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    self.init(
      on: scheduler, policy: policy, retry: retry, subject,
      BatchElements(keeping: limit, batchSize: batchSize, for: subject))
  }

  // NB: without a default for `retry`, a trailing closure cannot be `onDrop`: it is the body of a loop.
  /// Creates a loop that is hosted, with a function that receives the elements that no batch is going to
  /// have.
  ///
  /// The rule of retries has no default value: pass `.never` if a batch is tried once.
  public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    keeping limit: ElementLimit<Element>, batchSize: Int = .max,
    onDrop: @escaping @Sendable (Element) -> Void, retry: Backoff,
    label: String? = nil, misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    self.init(
      on: scheduler, policy: policy, retry: retry, subject,
      BatchElements(keeping: limit, batchSize: batchSize, onDrop: onDrop, for: subject))
  }

  /// Not available: a body that throws needs a receiver of its errors.
  @available(
    *, unavailable, message: "A body that throws needs 'onError:', which receives its errors and the batch."
  )
  public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    keeping limit: ElementLimit<Element>, batchSize: Int = .max,
    onDrop: (@Sendable (Element) -> Void)? = nil,
    retry: Backoff = .never, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext body: @escaping Body
  ) { fatalError("unavailable") }

  private init(
    on scheduler: some EventScheduler, policy: CoalescingPolicy, retry: Backoff, _ subject: DiagnosticSubject,
    _ elements: BatchElements<Element>, start: LoopRuns.Start? = nil
  ) {
    runs = LoopRuns(
      on: scheduler, policy: policy, retry: retry, subject, input: elements, start: start)
    self.elements = elements
    queued = elements.queued
  }

  deinit {
    runs.noteIfNeglected()
    runs.stop()
  }

  /// The name of the loop in diagnostics.
  public var label: String? { runs.subject.label }

  /// Whether elements are queued for a run, those of a batch that will be retried included.
  public var isPending: Bool { runs.withLock { !elements.isEmpty } }

  /// The number of elements that are queued for a run, those of a batch that will be retried included.
  public var count: Int { runs.withLock { elements.count } }

  /// Whether a run is in progress, from the start of its body to the end of the call that receives its error.
  public var isRunning: Bool { runs.isRunning }

  /// Adds an element.
  ///
  /// Callable from any thread. The body does not run before this call has returned (C5). An element that is
  /// added after ``stop(cancelling:)`` or ``finish()`` is dropped, and counted if a last batch follows.
  ///
  /// - Complexity: Amortised O(1).
  @inlinable public func add(_ element: Element) {
    let element = LoopElement(element)
    if !queued.join(element, runs.coalescer) { queued.add(element, to: runs) }
  }

  /// Adds elements in order.
  ///
  /// With the rules `newest`, `oldest` and `unlimited`, all elements are added in one step, with one signal,
  /// and are part of one batch. With the other rules, or with a batch size, the elements are added one by
  /// one.
  ///
  /// Callable from any thread.
  ///
  /// - Complexity: Amortised O(n) in the number of elements.
  @inlinable public func add(contentsOf elements: some Sequence<Element>) {
    queued.add(contentsOf: elements.lazy.map { LoopElement($0) }, to: runs)
  }

  /// Starts a run with the queued elements now, and closes the window of the policy.
  ///
  /// Callable from any thread. Without effect if no element is queued. During a run, the next run follows it
  /// (C7). With a batch size, run follows run until all elements that are queued now were in one. A retry
  /// starts without its wait (L8).
  public func flush() { runs.flush() }

  /// Discards the queued elements, those of a retry included, and closes the window. A run in progress
  /// continues.
  ///
  /// Idempotent, callable from any thread (C7, C9).
  public func cancel() { runs.cancel() }

  /// Cancels the task of the run in progress, if there is one.
  ///
  /// The batch of that run is neither retried nor kept, even if its work was not done. The
  /// `CancellationError` of the run is not reported (L4). Queued elements stay queued.
  public func cancelRun() { runs.cancelRun() }
}
