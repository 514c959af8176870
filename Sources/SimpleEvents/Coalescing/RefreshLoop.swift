/// An asynchronous body that runs again for any number of requests, one run at a time.
///
/// Requests may come from any thread, and the policy says when they start a run. A run sees everything that was written
/// before the requests that it answers:
///
/// ```swift
/// actor Index {
///   private lazy var loop = RefreshLoop(
///     on: .actor(self), policy: .throttle(.milliseconds(100))
///   ) { [weak self] in
///     try await self?.rebuild()
///   } onError: { error in
///     print("the index is out of date: \(error)")
///   }
///   func update() { loop.request() }
///   private func rebuild() async throws {}
/// }
/// ```
///
/// A body that is isolated to an actor runs there. Any other runs on the executor of the scheduler, if it has one, so that
/// the runs of a loop on a `TestScheduler` take virtual time (L6).
///
/// Keep a reference: deallocation stops the loop and does not wait for the run in progress.
///
/// Contracts: L1 to L6, C1 to C6, C8, see <doc:Contracts>.
public final class RefreshLoop: Sendable {
  /// The effect of a delivery of the policy that comes during a run (L3).
  public enum WhenBusy: Sendable, Hashable {
    /// One more run follows, at once, or with the policy's next delivery if one is pending.
    case rerun
    /// The task of the run is cancelled, and a new run starts when it has ended.
    case restart
    /// The delivery is dropped.
    case ignore
  }

  /// A body. It is called by one task at a time.
  public typealias Body = @Sendable @isolated(any) () async throws -> Void

  /// A receiver of the errors of a body.
  public typealias ErrorHandler = @Sendable @isolated(any) (any Error) async -> Void

  let runs: RefreshRuns
  /// Guards the objects that live until the loop is stopped; nil after that. They are released after the lock.
  private let companions: Guarded<[AnyObject]?> = Guarded([])

  /// Creates a loop with a body that may throw.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler whose clock measures windows, and on whose turns runs start.
  ///   - policy: The rule by which requests start runs.
  ///   - whenBusy: The effect of a delivery during a run.
  ///   - label: The name of the loop in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - body: The work of a run, released once the loop is stopped.
  ///   - onError: Receives an error of the body, before the run counts as over. The `CancellationError` of a run that was
  ///     cancelled is not reported (L4).
  public init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn,
    whenBusy: WhenBusy = .rerun, label: String? = nil, misuse: MisuseHandler = .debugTrap,
    fileID: StaticString = #fileID, line: UInt = #line, @_inheritActorContext body: @escaping Body,
    @_inheritActorContext onError: @escaping ErrorHandler
  ) {
    let subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    let executor = scheduler.taskExecutor
    runs = RefreshRuns(on: scheduler, policy: policy, whenBusy: whenBusy, subject) { runs in
      Task(executorPreference: executor) {
        if runs.begin(currentTask()) {
          await PendingWait.inRun(of: runs) {
            do {
              PendingLog.flagIfBlocked(body.isolation, "body", of: runs.subject)
              try await body()
            } catch {
              guard !(Task.isCancelled && error is CancellationError) else { return }
              PendingLog.flagIfBlocked(onError.isolation, "onError", of: runs.subject)
              await onError(error)
            }
          }
        }
        runs.end()
      }
    }
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

  deinit { end() }

  /// Requests a run.
  ///
  /// Callable from any thread. The body does not run before this call has returned (C5). A request after ``stop()`` is
  /// ignored.
  ///
  /// - Complexity: O(1).
  public func request() { runs.request() }

  /// Stops the loop for ever, and waits for the run in progress.
  ///
  /// Pending requests are dropped, nothing starts any more, and the body is released. The run in progress is not cancelled, and
  /// cancelling the caller does not end the wait. Call ``request()`` and ``settle()`` before for a last run. A call from
  /// the body's own task is flagged: it stops the loop and does not wait (L5). A child task of the body must not wait for the loop.
  public func stop() async {
    end()
    guard !isOwnTask("stop()") else { return }
    let wait = RefreshWait()
    await CancellableWait.suspend(for: awaited(in: "stop()")) { runs.begin(wait, $0) }
  }

  /// Waits until nothing runs and nothing is pending, or until the caller's task is cancelled.
  ///
  /// Requests that come meanwhile are waited for. A notification that is pending at an observed event is not a request yet, and is
  /// not waited for. Call ``request()`` before: its run sees the change (L2).
  ///
  /// A call from the body's own task is flagged, and returns at once (L5). A child task of the body must not wait for the loop.
  public func settle() async {
    guard !isOwnTask("settle()") else { return }
    let wait = RefreshWait()
    await CancellableWait.suspend(for: awaited(in: "settle()")) {
      runs.begin(wait, $0)
    } cancel: {
      runs.cancel(wait)
    }
  }

  /// Keeps an object until the loop is stopped or deallocated; releases it at once if that has happened.
  package func keep(_ object: AnyObject) {
    companions.withLock { $0?.append(object) }
  }

  /// Stops the loop, and does not wait for the run in progress.
  package func end() {
    runs.stop()
    // The companions are released here, after the lock.
    _ = companions.exchange(nil)
  }

  private func isOwnTask(_ call: String) -> Bool {
    guard runs.isRun(by: currentTask()) else { return false }
    runs.subject.misuse.flag(.waitedInsideRun(call, of: runs.subject))
    return true
  }

  private func awaited(in call: String) -> PendingWait.Awaited {
    .loop(ObjectIdentifier(runs), runs.subject, call: call)
  }
}
