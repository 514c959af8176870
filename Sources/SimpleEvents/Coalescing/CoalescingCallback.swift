/// A block that runs once for any number of requests, at the times that its policy sets.
///
/// Requests may come from any thread. The block runs on one scheduler, never overlaps itself, and sees
/// everything that was written before the requests that it answers:
///
/// ```swift
/// let callback = CoalescingCallback(on: .main, policy: .debounce(.milliseconds(100))) {
///   reload()
/// }
/// callback.schedule()
/// callback.schedule()  // one reload, 100 ms later
/// ```
///
/// Keep a reference to the callback, because its deallocation cancels the pending run. A
/// ``CoalescingCollector`` is a callback with a payload.
///
/// Contracts: C1 to C8, C10, C11, E9, see <doc:Contracts>.
public final class CoalescingCallback {
  private let coalescer: Coalescer
  package let subject: DiagnosticSubject
  private let block: StoredAction

  /// Creates a callback.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which the block runs, and whose clock measures windows.
  ///   - policy: The rule by which requests become runs.
  ///   - label: The name of the callback in diagnostics.
  ///   - misuse: The reaction to a programming error.
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - block: The block to run. If it is isolated to an actor, the scheduler must deliver on that actor
  ///     (E9).
  public init(
    on scheduler: some EventScheduler = .main, policy: CoalescingPolicy = .nextTurn, label: String? = nil,
    misuse: MisuseHandler = .debugTrap, fileID: StaticString = #fileID, line: UInt = #line,
    block: @escaping @isolated(any) () -> Void
  ) {
    subject = DiagnosticSubject(Self.self, label: label, misuse: misuse, fileID: fileID, line: line)
    coalescer = Coalescer(on: scheduler, policy: policy, subject)
    self.block = StoredAction(block, at: subject.site)
  }

  /// The name of the callback in diagnostics.
  public var label: String? { subject.label }

  /// Whether the block runs without a further request.
  public var isPending: Bool { coalescer.isPending }

  /// Requests a run.
  ///
  /// The method may be called from any thread, and does not run the block itself (C5).
  ///
  /// - Complexity: O(1).
  public func schedule() { coalescer.signal(for: self) }

  /// Drops the pending run and closes the window. The next request opens a new window.
  ///
  /// The method is idempotent, and may be called from any thread (E6, C7).
  public func cancel() { coalescer.cancel() }

  /// Makes the pending run now, on the calling thread, and closes the window.
  ///
  /// Call this method on the scheduler (C7).
  public func flush() {
    if coalescer.flush(subject) { deliver() }
  }

  private func deliver() {
    block.call(subject)
    coalescer.finish(for: self, subject)
  }
}

extension CoalescingCallback: Wakeable, PendingObject {
  package var isEndless: Bool { coalescer.isEndless }

  package func wake(_ cause: WakeCause) {
    if coalescer.wake(cause, for: self) == .delivers { deliver() }
  }
}

extension CoalescingCallback: CustomStringConvertible {
  /// The type and the label, and whether a run is pending.
  public var description: String { coalescer.description(subject.name) }
}

// SAFETY: the block need not be `Sendable`, so that a model that is confined to an actor or to a queue can
// pass a block that uses the model. The block is called on the scheduler, one call at a time (C1), and the
// coalescer's lock orders each run after the previous one. Each other property is immutable, atomic or
// guarded by a lock.
extension CoalescingCallback: @unchecked Sendable {}
