/// A wait for the value of a mailbox, without the type of the value. The mailbox's lock guards it until the
/// task is resumed.
@usableFromInline package class QueuedWait {
  final var state: CancellableWait = .new

  init() {}
}

/// The waits for the value of a mailbox, in order. The mailbox's lock guards it.
///
/// It does not know the type of the value: in unspecialised generic code the queue would look up its own
/// types for each wait.
@usableFromInline final class MailboxQueue {
  private var waits: Fifo<QueuedWait> = Fifo()
  /// The number of waits in the queue that were cancelled.
  private var cancelledCount: Int = 0

  /// The number of waits that are not over.
  var count: Int { waits.count - cancelledCount }

  func append(_ wait: QueuedWait) {
    waits.append(wait)
    checkInvariants()
  }

  /// Records that a wait in the queue was cancelled.
  ///
  /// - Complexity: Amortised O(1).
  func noteCancellation() {
    cancelledCount += 1
    compact()
  }

  /// Removes the cancelled waits, if they are more than half, or if no other waits are left. Each of them
  /// keeps the mailbox alive.
  private func compact() {
    defer { checkInvariants() }
    // The copy is amortised by the waits that were removed or cancelled.
    let rest = waits.count - cancelledCount
    guard cancelledCount > (rest == 0 ? 0 : rest + 8) else { return }
    waits = Fifo(waits.all.filter { !$0.state.isOver })
    cancelledCount = 0
  }

  /// Ends the first wait that is not over, for the caller to give it a value; returns nil if there is none.
  @usableFromInline func endFirst() -> (wait: QueuedWait, resumption: CancellableWait.Resumption)? {
    defer { compact() }
    while let wait = waits.popFirst() {
      if let resumption = wait.state.end(.reached) { return (wait, resumption) }
      cancelledCount -= 1
    }
    return nil
  }

  /// Checks the number of cancelled waits.
  ///
  /// - Complexity: O(n), and O(1) for more waits than the limit of such checks.
  func checkInvariants() {
    #if DEBUG || SIMPLEEVENTS_CHECKED
      invariant(
        cancelledCount <= waits.count - cancelledCount + 8, "M3: cancelled waits do not accumulate")
      guard waits.count <= invariantSize else { return }
      invariant(
        waits.all.filter(\.state.isOver).count == cancelledCount,
        "M3: a wait in the queue is not over, or counted")
    #endif
  }
}
