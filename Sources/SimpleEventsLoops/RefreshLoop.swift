public import SimpleEvents

/// An asynchronous body that runs again for any number of requests, one run at a time.
///
/// Requests may come from any thread, and the policy decides when they start a run. A run sees everything
/// that was written before the requests that it answers.
///
/// A *hosted* loop gets its body from a task, and makes its runs for that task until the task is cancelled or
/// the loop ends. Use it in an actor or a service with a `run()` method:
///
/// ```swift
/// actor Index {
///   private let loop = RefreshLoop(policy: .debounce(.milliseconds(200)), label: "index")
///   nonisolated func changed() { loop.request() }
///   func run() async throws {
///     try await loop.run { try await self.rebuild() }
///   }
///   private func rebuild() async throws {}
/// }
/// ```
///
/// An *owned* loop has its own body and creates a task for each run. Use it in a class that has no task:
///
/// ```swift
/// let loop = RefreshLoop(on: .main, policy: .throttle(.milliseconds(100))) {
///   try await reload()
/// } onError: { error in
///   print("out of date: \(error)")
/// }
/// ```
///
/// A body that is isolated to an actor runs on that actor. Any other body runs on the executor of the
/// scheduler, if the scheduler has one, and otherwise on the global pool. The runs of a loop on a
/// `TestScheduler` therefore take virtual time (L6). A run begins on the actor of its body. With the policy
/// `.nextTurn`, all requests that code of the actor makes before a suspension therefore cause one run.
///
/// Keep a reference to the loop, because its deallocation stops the loop. The deallocation does not wait for
/// the run in progress.
///
/// Contracts: L1 to L8, L10, C1 to C6, C8, C11, see the article *Contracts* of the module SimpleEvents.
public final class RefreshLoop: Sendable {
  /// The effect of a delivery of the policy that comes during a run (L3).
  public enum WhenBusy: Sendable, Hashable {
    /// One more run follows.
    ///
    /// If another delivery of the policy is pending when the run ends, the next run starts with that
    /// delivery. Otherwise the next run starts immediately.
    case rerun
    /// The task of the run is cancelled, and a new run starts when the cancelled run has ended.
    ///
    /// Let the body end with a `CancellationError`, which is not reported. If the body throws another error
    /// when it is cancelled, that error ends a host that has no `onError` (L4).
    case restart
    /// The delivery is dropped.
    case ignore
  }

  /// The type of a body. One task at a time calls a body.
  public typealias Body = @Sendable @isolated(any) () async throws -> Void

  /// The type of a function that receives the errors of a body.
  public typealias ErrorHandler = @Sendable @isolated(any) (any Error) async -> Void

  let runs: LoopRuns
  /// Guards the objects that live until the loop is closed or stopped; nil after that. The objects are
  /// released after the lock is released.
  let retainedObjects: Guarded<[AnyObject]?> = Guarded([])

  /// Creates a loop with a body that may throw.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler whose clock measures windows and the waits between attempts.
  ///   - policy: The rule by which requests start runs.
  ///   - whenBusy: The effect of a delivery during a run.
  ///   - retry: The rule by which the loop runs again after an error (L8).
  ///   - label: The name of the loop in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - body: The function that does the work of a run. It is released once the loop has ended.
  ///   - onError: The function that receives an error of the body, before the run counts as over. The
  ///     `CancellationError` of a cancelled run is not reported (L4).
  public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    whenBusy: WhenBusy = .rerun, retry: Backoff = .never, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext body: @escaping Body, @_inheritActorContext onError: @escaping ErrorHandler
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    self.init(
      LoopRuns(
        on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry, subject,
        start: LoopBody(body, onError: onError).start))
  }

  /// Creates a loop with a body that does not throw.
  public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    whenBusy: WhenBusy = .rerun, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext body: @escaping @Sendable @isolated(any) () async -> Void
  ) {
    self.init(
      on: scheduler, policy: policy, whenBusy: whenBusy, label: label, misuse: misuse, fileID: fileID,
      line: line,
      body: body, onError: { _ in })
  }

  /// Creates a hosted loop, which gets its body from a task.
  ///
  /// Requests are accepted before there is a host, and between two hosts.
  public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    whenBusy: WhenBusy = .rerun, retry: Backoff = .never, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    self.init(
      LoopRuns(on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry, subject, start: nil))
  }

  /// Not available: a body that throws needs a function that receives its errors.
  @available(
    *, unavailable, message: "A body that throws, or 'retry:', needs 'onError:', which receives the errors."
  )
  public convenience init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    whenBusy: WhenBusy = .rerun, retry: Backoff = .never, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext body: @escaping Body
  ) { fatalError("unavailable") }

  private init(_ runs: LoopRuns) { self.runs = runs }

  deinit {
    runs.noteIfNeglected()
    stopWithoutWait()
  }

  /// The name of the loop in diagnostics.
  public var label: String? { runs.subject.label }

  /// Whether a run starts without a further request: requests are pending, or a failed run will be retried.
  ///
  /// A ``request()`` during a run is pending until the policy delivers it, even if `.ignore` then drops it.
  public var isPending: Bool { runs.isPending }

  /// Whether a run is in progress.
  ///
  /// A run lasts from the start of its body until `onError` has returned.
  public var isRunning: Bool { runs.isRunning }

  /// Requests a run.
  ///
  /// The method may be called from any thread, and does not run the body itself (C5). A request after
  /// ``stop(cancelling:)`` or ``finish()`` is ignored.
  ///
  /// - Complexity: O(1). A request that makes a run due takes O(n) in the number of tasks that wait in
  ///   `settle()`, `finish()` or `stop()`.
  public func request() { runs.request() }

  /// Requests a run, and returns when the run that answers the request has succeeded.
  ///
  /// ```swift
  /// func validToken() async throws -> Token? {
  ///   if token?.isExpired != false { try await refreshes.refresh() }
  ///   return token
  /// }
  /// ```
  ///
  /// The next run that begins answers the request, with two exceptions:
  /// - With `.ignore`, a run in progress answers all calls that come during it, and no further run is made
  ///   for them. Any number of callers cause one run.
  /// - With a leading-only policy, the latest run answers a request that the policy ignores, even if that run
  ///   is over.
  ///
  /// If a run is retried, its next attempt answers the request. If a run is cancelled and throws, and another
  /// run replaces it (`.restart`), the other run answers the request. If the loop has no host, the call waits
  /// until a task hosts the loop. The request passes through the policy, so the call also waits for the end
  /// of the window. A call of ``flush()`` during the wait closes the window. A `flush()` before this call, or
  /// directly after an `async let` that makes this call, does not always include the request. If callers must
  /// not wait for a window, give the loop the policy `.nextTurn`. For the other requests, trigger a
  /// `LazySimpleEvent` that has the policy with the window, and let the loop observe that event.
  ///
  /// Cancelling the caller ends the wait, but not the run. A call from a run of this loop, or from a child
  /// task or a `Task { }` of such a run, is flagged: the call requests a run, and throws a
  /// `CancellationError` (L10). If a run needs another run, its body calls ``request()`` instead.
  ///
  /// - Throws: The error of the run, if no attempt follows. A `CancellationError` if the caller was
  ///   cancelled, or if the request was dropped: by ``cancel()``, by the end of the loop, or because the
  ///   scheduler is lost. If no request is pending, ``cancelRun()`` or the cancellation of the host also
  ///   drops the requests that the run in progress would answer (L10).
  /// - Complexity: That of ``request()``. The end of a run takes O(n) in the number of callers that wait.
  public func refresh() async throws { try await runs.refresh() }

  /// Starts the pending run now, and closes the window of the policy.
  ///
  /// The method may be called from any thread. It has no effect if nothing is pending. During a run, the
  /// flush causes a delivery on the next turn (L3): with `.rerun` the pending run follows, with `.restart`
  /// the run in progress is cancelled, and with `.ignore` the request is dropped. A retry that waits starts
  /// now (L8). No later request postpones a run that was flushed (C7).
  public func flush() { runs.flush() }

  /// Drops the pending run and the retry, and closes the window. A run in progress continues.
  ///
  /// The method is idempotent, and may be called from any thread (C7). If the run in progress fails
  /// afterwards, it is retried. Call ``cancelRun()`` as well to prevent the retry.
  public func cancel() { runs.cancel() }

  /// Cancels the task of the run in progress, if there is one.
  ///
  /// Pending requests stay pending. The cancelled run is not retried, and its `CancellationError` is not
  /// reported (L4).
  public func cancelRun() { runs.cancelRuns() }

  /// Retains an object until the loop is closed, stopped or deallocated. If the loop is already closed or
  /// stopped, the object is not retained.
  package func keep(_ object: AnyObject) {
    retainedObjects.withLock { $0?.append(object) }
  }

  /// Stops the loop, and does not wait for the run in progress.
  package func stopWithoutWait() {
    runs.stop()
    // The objects are released here, after the lock is released.
    _ = retainedObjects.exchange(nil)
  }
}

extension RefreshLoop {
  /// Waits until nothing runs and nothing is pending, or until the caller's task is cancelled.
  ///
  /// The wait includes retries, and requests that come during the wait. A pending notification of an observed
  /// event is not a request yet, and is not included. ``finish()`` includes a pending notification of an
  /// observed `LazySimpleEvent`.
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

  /// Ends the loop after a last run for all pending requests, and does not wait for that run.
  ///
  /// Later requests are ignored. The last run starts now: it does not wait for the end of the window or for a
  /// retry. If a notification of an observed `LazySimpleEvent` is pending or in progress, the notification
  /// counts as a request. If that event is a `SimpleEventProxy`, the pending notifications of its sources do
  /// not count. The last run is not retried. If a run in progress fails and is to be retried, the last run
  /// follows.
  ///
  /// The method may be called from any thread. It does not wait, so the handler of a Unix signal or of a
  /// graceful shutdown can call it. If the loop has no host, a later host makes the last run. The loop ends
  /// when the host of the last run ends, even if that host is cancelled before the run has ended. Pending
  /// requests are then dropped. A monitor receives the report of the end before `run` returns, unless the
  /// monitor is receiving another report about the loop at that time (L7).
  public func close() {
    // A notification may not have reached the loop yet.
    let objects = retainedObjects.withLock { $0 } ?? []
    runs.close(hasMore: objects.contains { ($0 as? any PendingObject)?.isPendingOrDelivering == true })
    _ = retainedObjects.exchange(nil)
  }

  /// Ends the loop after a last run for all pending requests, and waits for the end of that run.
  ///
  /// The loop ends as with ``close()``. If nothing is pending, the call waits for the run in progress.
  ///
  /// The wait is as long as the run: a body that ignores its cancellation and does not return keeps the
  /// caller waiting. Cancelling the caller does not end the wait. The call does not wait for a later host.
  ///
  /// A call from a run of this loop, or from a child task of such a run, is flagged: the loop ends after the
  /// run, and the call does not wait (L5).
  public func finish() async { await runs.finish(closing: close) }

  /// Stops the loop forever, and waits for the run in progress.
  ///
  /// Pending requests are dropped, no further run starts, and the body is released. The wait is as long as
  /// the run: a body that ignores its cancellation and does not return keeps the caller waiting. Cancelling
  /// the caller does not end the wait. Call ``finish()`` instead for a last run.
  ///
  /// A call from a run of this loop, or from a child task of such a run, is flagged: the call stops the loop
  /// and does not wait (L5).
  ///
  /// - Parameter cancelsRun: Whether the task of the run in progress is cancelled.
  public func stop(cancelling cancelsRun: Bool = false) async {
    stopWithoutWait()
    await runs.stop(cancelling: cancelsRun)
  }
}
