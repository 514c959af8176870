public import SimpleEvents

/// An asynchronous body that receives added elements in batches, one batch at a time.
///
/// Elements may be added from any thread, and the policy decides when they start a run of the body. A run
/// takes all elements that were added before it begins, in their order, and elements that are added during
/// the run are the next batch. A batch that is retried comes before newer elements, so elements stay in
/// order.
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
/// A loop that is created without a body is *hosted*: a task passes the body to `run`. Such a loop is a
/// constant of an actor or of a service:
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
/// progress or retried, and separately to the queued elements. The next batch counts the elements that the
/// limit drops, and those that a leading-only policy ignores.
///
/// A body that is isolated to an actor runs on that actor. Any other body runs on the executor of the
/// scheduler, if the scheduler has one, and otherwise on the global pool.
///
/// Keep a reference to the loop, because its deallocation discards the queued elements. The deallocation does
/// not wait for the run in progress.
///
/// With a batch size, a run takes at most that number of elements, and a full batch does not wait for the
/// policy (C12).
///
/// Contracts: L1 to L10, C1 to C6, C8, C9, C11, C12, see the article *Contracts* of the module SimpleEvents.
public final class BatchLoop<Element: Sendable>: Sendable {
  /// A batch of elements.
  public typealias Batch = ElementBatch<Element>

  /// The type of a body. One task at a time calls a body, with at least one element.
  public typealias Body = @Sendable @isolated(any) (Batch) async throws -> Void

  /// The type of a function that receives the errors of a body, with the batch of the failed run.
  public typealias ErrorHandler = @Sendable @isolated(any) (any Error, Batch) async -> Void

  @usableFromInline let runs: LoopRuns
  let elements: BatchElements<Element>
  /// The queued elements. They are stored here as well, so that an addition finds them in one step.
  @usableFromInline let queued: CollectedElements<LoopElement<Element>>

  /// Creates a loop with a body that may throw.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler whose clock measures windows and the waits between attempts.
  ///   - policy: The rule by which additions start runs.
  ///   - limit: The largest number of queued elements, and the rule by which further elements are dropped.
  ///   - batchSize: The largest number of elements in a batch, at least one. When this number of elements is
  ///     queued, these elements start a run, whatever the policy. By default, and with a size above the
  ///     limit, a batch has all queued elements. A size for `.combined` is flagged (C12).
  ///   - onDrop: The function that receives, once, each element that no batch will contain. The limit or the
  ///     policy has dropped the element, or it was discarded by ``cancel()``, by ``stop(cancelling:)``, by
  ///     deallocation or by the loss of the scheduler (C9, L9). If a run fails and is not repeated, and
  ///     `onError` does not receive the batch of the run, the function also receives the elements of that
  ///     batch. The function is called under no lock, in the call that causes the drop, or in the task of a
  ///     run that fails or that merges a batch with newer elements. It may call the loop, but must not add a
  ///     dropped element again.
  ///   - retry: The rule by which a batch is retried after an error (L8).
  ///   - label: The name of the loop in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - body: The function that does the work of a run. It is released once the loop has ended.
  ///   - onError: The function that receives an error of the body, with the batch of the run, before the run
  ///     counts as over. The batch is not kept, unless it is retried. The `CancellationError` of a cancelled
  ///     run is not reported (L4, L9).
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

  /// Creates a hosted loop, which gets its body from a task.
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

  // NB: `retry` has no default, so that a trailing closure is the body of a loop and cannot be `onDrop`.
  /// Creates a hosted loop with a function that receives the elements that no batch will contain.
  ///
  /// The rule of retries has no default value: pass `.never` for no retries.
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

  /// Not available: a body that throws needs a function that receives its errors.
  @available(
    *, unavailable,
    message: "A body that throws, or 'retry:', needs 'onError:', which receives each error and its batch."
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

  /// Whether elements are queued for a run. The elements of a batch that will be retried count as queued.
  public var isPending: Bool { runs.withLock { !elements.isEmpty } }

  /// The number of queued elements. The elements of a batch that will be retried count as queued.
  public var count: Int { runs.withLock { elements.count } }

  /// Whether a run is in progress.
  ///
  /// A run lasts from the start of its body until `onError` has returned.
  public var isRunning: Bool { runs.isRunning }

  /// Adds an element.
  ///
  /// The method may be called from any thread, and does not run the body itself (C5). An element that is
  /// added after ``stop(cancelling:)`` or ``finish()`` is dropped. If a last batch follows, that batch counts
  /// the element as dropped.
  ///
  /// - Complexity: Amortised O(1). An addition that makes a run due takes O(n) in the number of tasks that
  ///   wait in `settle()`, `finish()` or `stop()`.
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
  /// The method may be called from any thread.
  ///
  /// - Complexity: Amortised O(n) in the number of elements.
  @inlinable public func add(contentsOf elements: some Sequence<Element>) {
    queued.add(contentsOf: elements.lazy.map { LoopElement($0) }, to: runs)
  }

  /// Starts a run with the queued elements now, and closes the window of the policy.
  ///
  /// The method may be called from any thread. It has no effect if no element is queued. If a run is in
  /// progress, the next run follows it directly (C7). With a batch size, runs follow one another until each
  /// element that is queued now has been in a run. A retry that waits starts now (L8).
  public func flush() { runs.flush() }

  /// Discards the queued elements, including the elements of a retry, and closes the window. A run in
  /// progress continues.
  ///
  /// The method is idempotent, and may be called from any thread (C7, C9).
  public func cancel() { runs.cancel() }

  /// Cancels the task of the run in progress, if there is one.
  ///
  /// The batch of that run is neither retried nor kept, even if the work of the run is not done. The
  /// `CancellationError` of the run is not reported (L4). Queued elements stay queued.
  public func cancelRun() { runs.cancelRuns() }
}

extension BatchLoop {
  /// Waits until nothing runs and nothing is pending, or until the caller's task is cancelled.
  ///
  /// The wait includes retries, and elements that are added during the wait.
  ///
  /// If work is pending and the loop has no host, the loop does not settle until a task hosts it.
  ///
  /// A call from a run of this loop, or from a child task of such a run, is flagged and returns immediately
  /// (L5).
  ///
  /// - Returns: Whether the loop has settled. The result is false if the caller's task is cancelled before
  ///   the call or during the wait. True does not mean that the work has succeeded: a loop also settles after
  ///   ``stop(cancelling:)``, and after an error that is not retried.
  @discardableResult public func settle() async -> Bool { await runs.settle() }

  /// Ends the loop after a last run with the queued elements, and does not wait for that run.
  ///
  /// Later additions are dropped. The queued elements are the batch of the last run. The last run starts now:
  /// it does not wait for the end of the window or for a retry. If a run in progress fails and is to be
  /// retried, its batch is part of the last run. With a batch size, last runs follow one another until
  /// nothing is queued (C12). If the last run fails, it is not retried, and `onError` receives its batch.
  ///
  /// The method may be called from any thread. It does not wait, so the handler of a Unix signal or of a
  /// graceful shutdown can call it. If the loop has no host, a later host makes the last run. The loop ends
  /// when the host of the last run ends, even if that host is cancelled or throws an error. Elements that are
  /// left are then dropped. A monitor receives the report of the end before `run` returns, unless the monitor
  /// is receiving another report about the loop at that time (L5, L7).
  public func close() { runs.close() }

  /// Ends the loop after a last run with the queued elements, and waits for the end of that run.
  ///
  /// The loop ends as with ``close()``.
  ///
  /// The wait is as long as the run: a body that ignores its cancellation and does not return keeps the
  /// caller waiting. Cancelling the caller does not end the wait. The call does not wait for a later host.
  ///
  /// A call from a run of this loop, or from a child task of such a run, is flagged: the loop ends after the
  /// run, and the call does not wait (L5).
  public func finish() async { await runs.finish(closing: close) }

  /// Stops the loop forever, and waits for the run in progress.
  ///
  /// The queued elements are discarded, no further run starts, and the body is released. The wait is as long
  /// as the run: a body that ignores its cancellation and does not return keeps the caller waiting.
  /// Cancelling the caller does not end the wait. Call ``finish()`` instead for a last run.
  ///
  /// A call from a run of this loop, or from a child task of such a run, is flagged: the call stops the loop
  /// and does not wait (L5).
  ///
  /// - Parameter cancelsRun: Whether the task of the run in progress is cancelled.
  public func stop(cancelling cancelsRun: Bool = false) async { await runs.stop(cancelling: cancelsRun) }
}
