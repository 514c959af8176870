internal import CSimpleEvents

/// The state of one wait of one task. The owner of the wait or a cancellation ends the wait, exactly once.
///
/// The owner stores the wait under its own lock, in a ``WaitList`` if several tasks wait. The owner can
/// therefore change its own state and the wait in one step. A function that ends the wait returns a
/// resumption, which the owner calls after the lock is released.
///
/// A task waits with ``suspend(for:isolation:begin:cancel:)``. The rest of this type does not use the tasks
/// of the Swift runtime, so the interleaving explorer can run it.
@frozen @usableFromInline package enum CancellableWait {
  /// The reason why a wait has ended.
  @frozen @usableFromInline package enum End: Sendable {
    /// The owner has ended the wait.
    case reached
    case cancelled
  }

  /// A function that resumes a task. It is called once, under no lock, perhaps before the task is suspended.
  @usableFromInline package typealias Resume = @Sendable (End) -> Void

  /// The resumption of a task. The owner of the wait calls the resumption after the owner's lock is released.
  @frozen @usableFromInline package struct Resumption {
    @usableFromInline let resume: Resume
    @usableFromInline let end: End

    @inlinable init(resume: @escaping Resume, end: End) {
      self.resume = resume
      self.end = end
    }

    @usableFromInline package func callAsFunction() { resume(end) }
  }

  case new
  case waiting(Resume)
  /// The wait has ended, perhaps before it began.
  case over

  @inlinable package var isOver: Bool { if case .over = self { true } else { false } }

  /// Begins the wait. Called once for each wait.
  ///
  /// - Returns: The resumption, if the wait was already cancelled; nil otherwise.
  @inlinable package mutating func begin(_ resume: @escaping Resume) -> Resumption? {
    if isOver { return Resumption(resume: resume, end: .cancelled) }
    guard case .new = self else { preconditionFailure("a wait begins once") }
    self = .waiting(resume)
    return nil
  }

  /// Ends the wait. If the wait has not begun, the later call of `begin(_:)` returns the resumption.
  ///
  /// - Returns: The resumption; nil if the wait has not begun, or is over.
  @inlinable package mutating func end(_ end: End) -> Resumption? {
    defer { self = .over }
    guard case .waiting(let resume) = self else { return nil }
    return Resumption(resume: resume, end: end)
  }
}

extension CancellableWait {
  /// Suspends the current task until a wait ends, and resumes it on the actor of the caller.
  ///
  /// - Parameters:
  ///   - awaited: The reason why the task waits, for diagnostics.
  ///   - isolation: The actor of the caller.
  ///   - begin: Begins the wait. It receives the function that resumes the task.
  ///   - cancel: Cancels the wait. It is called on any thread, perhaps before the wait begins. By default, a
  ///     cancellation of the task does not end the wait.
  /// - Returns: The reason why the wait has ended.
  @inline(__always)
  @discardableResult package static func suspend(
    for awaited: @autoclosure () -> PendingWait,
    isolation: isolated (any Actor)? = #isolation,
    begin: (@escaping Resume) -> Void, cancel: @Sendable () -> Void = {}
  ) async -> End {
    let wait = PendingLog.begin(awaited())
    defer { withExtendedLifetime(wait) {} }
    var task: SuspendedTask?
    await withTaskCancellationHandler(
      operation: {
        // A closure that does not capture the actor runs off it: the wait would begin on the global pool.
        _ = isolation
        await unsafe withUnsafeContinuation { continuation in
          let suspended = unsafe SuspendedTask(continuation)
          task = suspended
          begin { suspended.resume($0) }
        }
      }, onCancel: cancel)
    if simple_events_is_thread_sanitized { simple_events_did_resume_task() }
    return task!.end
  }
}

/// A task that waits, and the reason why its wait has ended.
///
/// The reason is stored here, and is not the result of the continuation. If a task is resumed before it is
/// suspended, the runtime does not report the resumption to the thread sanitizer. A release build would then
/// read the result before this package can report the resumption.
@safe private final class SuspendedTask {
  // SAFETY: a wait calls `resume(_:)` once.
  private let continuation: UnsafeContinuation<Void, Never>
  private(set) var end: CancellableWait.End = .reached

  init(_ continuation: UnsafeContinuation<Void, Never>) { unsafe self.continuation = unsafe continuation }

  func resume(_ end: CancellableWait.End) {
    self.end = end
    unsafe continuation.resume()
  }
}

// SAFETY: one thread writes the end before it resumes the task, and the task reads the end after that.
extension SuspendedTask: @unchecked Sendable {}

/// An entry of a list of waits. The lock of the list's owner guards the entry.
@usableFromInline package protocol WaitListEntry: AnyObject {
  var state: CancellableWait { get set }
}

/// A wait that stores only its state.
@usableFromInline package class QueuedWait: WaitListEntry {
  @usableFromInline package final var state: CancellableWait = .new

  @usableFromInline package init() {}
}

/// The waits of tasks for one object, oldest first. The object's lock guards the list and each wait.
///
/// A cancelled wait stays in the list until the list is compacted, so that a cancellation need not search the
/// list.
// NB: every member is inlinable, as in `Fifo`.
@frozen @usableFromInline package struct WaitList<Wait: WaitListEntry> {
  @usableFromInline var waits: Fifo<Wait> = Fifo()
  /// The number of cancelled waits in the queue.
  @usableFromInline var cancelledCount: Int = 0

  @inlinable package init() {}

  /// The number of waits that are not over.
  @inlinable package var count: Int { waits.count - cancelledCount }

  @inlinable package var isEmpty: Bool { count == 0 }

  /// Begins a wait and adds it to the list, unless the wait was already cancelled.
  ///
  /// - Parameters:
  ///   - wait: The wait to add.
  ///   - resume: The function that resumes the task.
  ///   - isReached: Whether the end that the task would wait for is already reached; the wait is then not
  ///     added.
  /// - Returns: The resumption; nil if the wait was added.
  /// - Complexity: Amortised O(1).
  @inlinable package mutating func add(
    _ wait: Wait, _ resume: @escaping CancellableWait.Resume, unless isReached: Bool = false
  ) -> CancellableWait.Resumption? {
    if let resumption = wait.state.begin(resume) { return resumption }
    if isReached { return wait.state.end(.reached) }
    append(wait)
    return nil
  }

  /// Adds a wait that has begun.
  ///
  /// - Complexity: Amortised O(1).
  @inlinable package mutating func append(_ wait: Wait) {
    waits.append(wait)
    checkInvariants()
  }

  /// Cancels a wait. A wait can be cancelled before it is added.
  ///
  /// - Returns: The resumption; nil if the task does not wait.
  /// - Complexity: Amortised O(1).
  @inlinable package mutating func cancel(_ wait: Wait) -> CancellableWait.Resumption? {
    guard let resumption = wait.state.end(.cancelled) else { return nil }
    cancelledCount += 1
    compact()
    return resumption
  }

  /// Ends the first wait of the list; returns nil if there is none.
  ///
  /// - Complexity: Amortised O(1).
  @inlinable package mutating func endFirst(
    _ end: CancellableWait.End = .reached
  ) -> (wait: Wait, resumption: CancellableWait.Resumption)? {
    defer { compact() }
    while let wait = waits.popFirst() {
      if let resumption = wait.state.end(end) { return (wait, resumption) }
      cancelledCount -= 1
    }
    return nil
  }

  /// Ends the waits for which a condition holds.
  ///
  /// - Complexity: O(n).
  @inlinable package mutating func end(where isReached: (Wait) -> Bool) -> [CancellableWait.Resumption] {
    var resumptions: [CancellableWait.Resumption] = []
    for wait in waits.all where !wait.state.isOver && isReached(wait) {
      if let resumption = wait.state.end(.reached) { resumptions.append(resumption) }
    }
    if !resumptions.isEmpty { removeOver() }
    return resumptions
  }

  /// Removes the cancelled waits if they outnumber the others by more than eight, or if no others are left.
  /// Until then, the list keeps alive the objects that the cancelled waits store.
  @inlinable mutating func compact() {
    defer { checkInvariants() }
    // The cost of the copy is amortised over the waits that were removed or cancelled.
    guard cancelledCount > (isEmpty ? 0 : count + 8) else { return }
    removeOver()
  }

  /// Removes the waits that are over.
  ///
  /// - Complexity: O(n).
  @inlinable package mutating func removeOver() {
    waits = Fifo(waits.all.filter { !$0.state.isOver })
    cancelledCount = 0
    checkInvariants()
  }

  /// Checks the number of cancelled waits.
  ///
  /// - Complexity: O(n); O(1) if the list is longer than `invariantSize`.
  @inlinable package func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      invariant(cancelledCount <= count + 8, "M3: cancelled waits do not accumulate")
      guard waits.count <= invariantSize else { return }
      invariant(
        waits.all.filter(\.state.isOver).count == cancelledCount,
        "M3: each wait in the list that is over is counted")
    #endif
  }
}
