/// An entry of a list of waits. The lock of the list's owner guards it.
@usableFromInline package protocol WaitListEntry: AnyObject {
  var state: CancellableWait { get set }
}

/// One wait of one task that needs nothing but its state.
@usableFromInline package class QueuedWait: WaitListEntry {
  @usableFromInline package final var state: CancellableWait = .new

  @usableFromInline package init() {}
}

/// The waits of tasks for one object, first come first. A lock of the object guards the list and each wait.
///
/// A wait that is cancelled stays in the list for a while, so that a cancellation need not search for it.
// NB: inlinable throughout, as the queue that it uses.
@frozen @usableFromInline package struct WaitList<Wait: WaitListEntry> {
  @usableFromInline var waits: Fifo<Wait> = Fifo()
  /// The number of waits in the queue that were cancelled.
  @usableFromInline var cancelledCount: Int = 0

  @inlinable package init() {}

  /// The number of waits that are not over.
  @inlinable package var count: Int { waits.count - cancelledCount }

  @inlinable package var isEmpty: Bool { count == 0 }

  /// Lets a task wait, unless the wait was cancelled before.
  ///
  /// - Parameters:
  ///   - resume: The function that resumes the task.
  ///   - isReached: Whether the task has nothing to wait for.
  /// - Returns: The resumption, if the task does not wait.
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

  /// Cancels a wait, even one that is added later.
  ///
  /// - Returns: The resumption; nil if the task does not wait.
  /// - Complexity: Amortised O(1).
  @inlinable package mutating func cancel(_ wait: Wait) -> CancellableWait.Resumption? {
    guard let resumption = wait.state.end(.cancelled) else { return nil }
    cancelledCount += 1
    compact()
    return resumption
  }

  /// Ends the wait that has come first; returns nil if there is none.
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

  /// Removes the cancelled waits, if they are more than half, or if no other waits are left. Each of them
  /// keeps its owner's objects alive.
  @inlinable mutating func compact() {
    defer { checkInvariants() }
    // The copy is amortised by the waits that were removed or cancelled.
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
  /// - Complexity: O(n), and O(1) for more waits than the limit of such checks.
  @inlinable package func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      invariant(cancelledCount <= count + 8, "M3: cancelled waits do not accumulate")
      guard waits.count <= invariantSize else { return }
      invariant(
        waits.all.filter(\.state.isOver).count == cancelledCount,
        "M3: a wait in the list is not over, or counted")
    #endif
  }
}
