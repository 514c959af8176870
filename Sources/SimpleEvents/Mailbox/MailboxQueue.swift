/// The waits for the value of a mailbox, in order. The mailbox's lock guards it.
@usableFromInline final class MailboxQueue<T> {
  private var waits: Fifo<MailboxWait<T>> = Fifo()
  /// The number of waits in the queue that were cancelled.
  private var cancelledCount: Int = 0

  func append(_ wait: MailboxWait<T>) { waits.append(wait) }

  /// Takes in that a wait in the queue was cancelled.
  ///
  /// - Complexity: Amortised O(1).
  func noteCancellation() {
    cancelledCount += 1
    // The copy is amortised by the cancellations of half of the waits.
    guard cancelledCount > waits.count / 2 + 8 else { return }
    waits = Fifo(waits.all.filter { !$0.state.isOver })
    cancelledCount = 0
  }

  /// Gives a value to the first wait; returns nil if there is no value or nothing waits.
  @usableFromInline func serve(_ value: T?) -> CancellableWait.Resumption? {
    guard case .some = value else { return nil }
    while let wait = waits.popFirst() {
      if let resumption = wait.state.end(.reached) {
        wait.value = value
        return resumption
      }
      cancelledCount -= 1
    }
    return nil
  }
}
