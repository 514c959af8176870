public import SimpleEvents

/// An asynchronous body that runs again for any number of requests, with separate windows and runs for each
/// key.
///
/// It is a ``RefreshLoop`` for every document, file or user. The program needs no dictionary of loops or
/// tasks, and does not have to remove old keys. A limited number of keys run at the same time, and no key
/// runs twice at the same time:
///
/// ```swift
/// let diagnostics = KeyedRefreshLoop<Document.ID>(
///   on: .main, policy: .debounce(.milliseconds(200)), label: "diagnostics"
/// ) { id in
///   try await check(id)
/// } onError: { id, error in
///   print("\(id) is not checked: \(error)")
/// }
/// diagnostics.request(id)
/// ```
///
/// A *hosted* loop gets its body from a task. Such a loop is a controller with a number of workers, like a
/// controller of Kubernetes with its `workqueue`:
///
/// ```swift
/// actor Controller {
///   private let objects = KeyedRefreshLoop<String>(
///     retry: .exponential(initial: .milliseconds(5)).maximum(.seconds(1000)), label: "controller")
///   nonisolated func changed(_ name: String) { objects.request(name) }
///   func run() async {
///     await objects.run(maxConcurrentRuns: 4) { name in
///       try await self.reconcile(name)
///     } onError: { name, error in
///       print("\(name): \(error)")
///     }
///   }
///   private func reconcile(_ name: String) async throws {}
/// }
/// ```
///
/// A key whose run is due is *in line*, once, however often it is requested. Keys leave the line in the order
/// in which their runs became due, one key whenever a task is free. If a delivery of the policy comes during
/// the run of its key, and the loop has `.rerun` or `.restart`, the key goes to the end of the line when the
/// run has ended. Each key has its own number of failures and its own wait for a retry. A body that does not
/// return delays no other key while tasks are free (K4).
///
/// A key takes memory only while it is pending or running, waits for a retry, or has an open window (K2). A
/// key is hashed and compared under a lock. Its `hash(into:)` and `==` must not call this loop: such a call
/// stops the program. The two functions must also not wait for a lock that another thread holds while that
/// thread calls this loop.
///
/// Keep a reference to the loop, because its deallocation stops the loop. The deallocation does not wait for
/// the runs in progress.
///
/// Contracts: K2 to K6, L1 to L8, L10, see the article *Contracts* of the module SimpleEvents.
@_fixed_layout public final class KeyedRefreshLoop<Key: Hashable & Sendable>: Sendable {
  /// The effect of a delivery of the policy that comes during a run of its key (L3).
  public typealias WhenBusy = RefreshLoop.WhenBusy

  /// The type of a body. Several tasks call a body at the same time, but only one for each key.
  public typealias Body = @Sendable @isolated(any) (Key) async throws -> Void

  /// The type of a function that receives the errors of a body, with the key of the failed run.
  public typealias ErrorHandler = @Sendable @isolated(any) (Key, any Error) async -> Void

  @usableFromInline package let runs: KeyedRuns
  @usableFromInline let index: KeyIndex<Key>

  // NB: the initialisers and the methods with a key are inlinable, so that keys are hashed and compared by
  // code that is specialised for their type.
  /// Creates a loop with a body that may throw.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler whose clock measures windows and the waits between attempts.
  ///   - policy: The rule by which the requests for a key start its runs.
  ///   - whenBusy: The effect of a delivery during a run of its key.
  ///   - retry: The rule by which a key runs again after an error (L8).
  ///   - maxConcurrentRuns: The largest number of keys that run at the same time, at least one.
  ///   - label: The name of the loop in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - body: The function that does the work of a run. It is released once the loop has ended.
  ///   - onError: The function that receives an error of the body, before the run counts as over. The
  ///     `CancellationError` of a cancelled run is not reported (L4).
  @inlinable public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    whenBusy: WhenBusy = .rerun, retry: Backoff = .never, maxConcurrentRuns: Int = 4, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext body: @escaping Body, @_inheritActorContext onError: @escaping ErrorHandler
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    self.init(
      on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry, subject, limit: maxConcurrentRuns,
      start: Self.start(body, onError: onError))
  }

  /// Creates a loop with a body that does not throw.
  @inlinable public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    whenBusy: WhenBusy = .rerun, maxConcurrentRuns: Int = 4, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext body: @escaping @Sendable @isolated(any) (Key) async -> Void
  ) {
    self.init(
      on: scheduler, policy: policy, whenBusy: whenBusy, maxConcurrentRuns: maxConcurrentRuns, label: label,
      misuse: misuse, fileID: fileID, line: line, body: body, onError: { _, _ in })
  }

  /// Not available: a body that throws needs a function that receives its errors.
  @available(
    *, unavailable,
    message: "A body that throws, or 'retry:', needs 'onError:', which receives each key and its error."
  )
  public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    whenBusy: WhenBusy = .rerun, retry: Backoff = .never, maxConcurrentRuns: Int = 4, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext body: @escaping Body
  ) { fatalError("unavailable") }

  /// Creates a hosted loop, which gets its body from a task.
  ///
  /// Requests are accepted before there is a host, and between two hosts.
  @inlinable public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    whenBusy: WhenBusy = .rerun, retry: Backoff = .never, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    self.init(on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry, subject)
  }

  /// - Parameter start: Creates the task of a run; nil for a loop that is hosted.
  @inlinable package init(
    on scheduler: some EventScheduler, policy: CoalescingPolicy, whenBusy: WhenBusy = .rerun,
    retry: Backoff = .never, _ subject: DiagnosticSubject, limit: Int = 1, start: KeyedRuns.Start? = nil
  ) {
    let index = KeyIndex<Key>()
    self.index = index
    runs = KeyedRuns(
      on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry, subject, limit: limit,
      forget: { index.forget($0) }, start: start)
  }

  deinit {
    runs.noteIfNeglected()
    runs.stop()
  }

  /// The name of the loop in diagnostics.
  public var label: String? { runs.subject.label }

  /// The number of pending keys. A key is pending if a request for it is pending, or if its run will be
  /// retried.
  public var pendingCount: Int { runs.keys.pendingCount }

  /// The number of keys whose runs are in progress.
  public var runningCount: Int { runs.read { $1.running.count } }

  /// The number of keys that have an entry.
  package var entryCount: Int { max(runs.keys.entryCount, runs.read { _, _ in unsafe index.runs.count }) }

  /// The number of keys for which memory is allocated.
  package var capacity: Int { max(runs.keys.capacity, runs.read { _, _ in unsafe index.runs.capacity }) }

  /// Whether a run of a key starts without a further request.
  ///
  /// - Complexity: O(1).
  @inlinable public func isPending(_ key: Key) -> Bool { runs.isPending { index.find(key) } }

  /// Whether a run of a key is in progress.
  ///
  /// A run lasts until `onError` has returned.
  ///
  /// - Complexity: O(1).
  @inlinable public func isRunning(_ key: Key) -> Bool { runs.isRunning { index.find(key) } }

  /// Requests a run of a key.
  ///
  /// The method may be called from any thread, and does not run the body itself (C5). A request after
  /// ``stop(cancelling:)`` or ``finish()`` is ignored.
  ///
  /// - Complexity: O(1). The first request of a window takes O(log n + m), with n keys and m tasks that wait
  ///   in `settle()`, `finish()` or `stop()`.
  @inlinable public func request(_ key: Key) { runs.request { index.findOrAdd(key) } }

  /// Requests a run of a key, and returns when the run that answers the request has succeeded.
  ///
  /// The documentation of ``RefreshLoop/refresh()`` says which run answers a request. Cancelling the caller
  /// ends the wait, but not the run. A call from a run of any key of this loop, or from a child task or a
  /// `Task { }` of such a run, is flagged: the call requests a run, and throws a `CancellationError` (L10). A
  /// run that waited for another key would occupy a place that the other key may need.
  ///
  /// - Throws: The error of the run, if no attempt follows. A `CancellationError` if the caller was
  ///   cancelled, or if the request was dropped: by ``cancel(_:)`` or ``cancelAll()``, by the end of the
  ///   loop, or because the scheduler is lost. If no request for the key is pending, ``cancelRun(_:)`` or the
  ///   cancellation of the host also drops the requests that the run in progress would answer (L10).
  public func refresh(_ key: Key) async throws {
    try await runs.refresh(in: "refresh(_:)") {
      request(key)
    } waiting: {
      runs.request($0, $1) { index.findOrAdd(key) }
    } cancel: {
      runs.cancel($0) { index.find(key) }
    }
  }

  /// Puts a key in line now if a run of it is pending, and closes the window of the key.
  ///
  /// The method may be called from any thread. If a run of the key is in progress, the flush causes a
  /// delivery on the next turn (L3). A key that waits for a retry is also put in line now (L8).
  ///
  /// - Complexity: O(log n + m), with n keys and m tasks that wait in `settle()`, `finish()` or `stop()`.
  @inlinable public func flush(_ key: Key) { runs.flush { index.find(key) } }

  /// Puts all pending keys in line now, and closes the windows of these keys.
  ///
  /// The keys are put in line in the order in which they would have become due. Each key is flushed as by
  /// ``flush(_:)``.
  ///
  /// - Complexity: O(n log n) in the number of keys.
  public func flushAll() { runs.flushAll() }

  /// Drops the pending run and the retry of a key, and closes the window of the key. A run in progress
  /// continues.
  ///
  /// The method is idempotent, and may be called from any thread (C7).
  ///
  /// - Complexity: O(n) in the number of tasks that wait for the key, or in `settle()`, `finish()` or
  ///   `stop()`.
  @inlinable public func cancel(_ key: Key) { runs.cancel { index.find(key) } }

  /// Drops the pending runs and the retries of all keys, and closes the windows of the keys. Runs in progress
  /// continue.
  ///
  /// The method is idempotent, and may be called from any thread (C7).
  ///
  /// - Complexity: O(n log n) in the number of keys.
  public func cancelAll() { runs.cancelAll() }

  /// Cancels the task of the run of a key, if there is one.
  ///
  /// Pending requests stay pending. The cancelled run is not retried, and its `CancellationError` is not
  /// reported (L4). If nothing is pending for the key, its count of failures is reset as well.
  @inlinable public func cancelRun(_ key: Key) { runs.cancelRun { index.find(key) } }
}

extension KeyedRefreshLoop: CustomStringConvertible {
  /// The type and the label, and the numbers of running, pending and failing keys.
  public var description: String { runs.description }
}

extension KeyedRefreshLoop {
  /// Waits until no key runs and no key is pending, or until the caller's task is cancelled.
  ///
  /// The wait includes retries, and requests that come during the wait. If keys are pending and the loop has
  /// no host, the loop does not settle until a task hosts it. A call from a run of this loop, or from a child
  /// task of such a run, is flagged and returns immediately (L5).
  ///
  /// - Returns: Whether the loop has settled. The result is false if the caller's task is cancelled before
  ///   the call or during the wait. True does not mean that the work has succeeded.
  @discardableResult public func settle() async -> Bool { await runs.settle() }

  /// Ends the loop after a last run of each pending key, and does not wait for these runs.
  ///
  /// Later requests are ignored. All pending keys are in line now, in the order in which they would have
  /// become due. The limit of concurrent runs stays the same. Last runs are not retried. If a run in progress
  /// fails and is to be retried, a last run of its key follows.
  ///
  /// The method may be called from any thread. If the loop has no host, a later host makes the last runs. The
  /// loop ends when the host of the last runs ends, even if that host is cancelled before they have ended.
  public func close() { runs.close() }

  /// Ends the loop after a last run of each pending key, and waits for the end of these runs.
  ///
  /// The loop ends as with ``close()``. The wait is as long as the runs: a body that ignores its cancellation
  /// and does not return keeps the caller waiting. Cancelling the caller does not end the wait. The call does
  /// not wait for a later host. A call from a run of this loop, or from a child task of such a run, is
  /// flagged, and the call does not wait (L5).
  public func finish() async { await runs.finish(closing: close) }

  /// Stops the loop forever, and waits for the runs in progress.
  ///
  /// Pending keys are dropped, no further run starts, and the body is released. As with ``finish()``, the
  /// wait is as long as the runs. A call from a run of this loop, or from a child task of such a run, is
  /// flagged: the call stops the loop and does not wait (L5).
  ///
  /// - Parameter cancelsRuns: Whether the tasks of the runs in progress are cancelled.
  public func stop(cancelling cancelsRuns: Bool = false) async { await runs.stop(cancelling: cancelsRuns) }
}
