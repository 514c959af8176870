/// The tasks that wait for the value of a mailbox, and its counts for a monitor. The mailbox's lock guards
/// it.
///
/// It does not know the type of the value: in unspecialised generic code the queue would look up its own
/// types for each wait.
@usableFromInline final class MailboxQueue {
  var waits: WaitList<QueuedWait> = WaitList()
  /// The counts of the mailbox for a monitor; nil if none sees it.
  private let source: CoalescingSource?
  /// The deliveries that the monitor has not received.
  private var unreported: [CoalescingDelivery] = []

  init(source: CoalescingSource? = nil) { self.source = source }

  deinit { source?.end() }

  /// Records that the value in the box was put or taken, for a monitor.
  ///
  /// - Returns: Whether the caller must call ``takeUnreported()`` after the lock is released, to report a
  ///   delivery.
  @usableFromInline func noteChange(isPut: Bool, isTaken: Bool) -> Bool {
    guard let source else { return false }
    if isPut { source.noteSignal(at: .uptime) }
    guard isTaken, let delivery = source.deliverNow() else { return false }
    unreported.append(delivery)
    return true
  }

  /// The deliveries that the monitor has not received.
  func takeUnreported() -> [CoalescingDelivery] {
    defer { unreported = [] }
    return unreported
  }

  /// Ends the first wait, for the caller to give it a value; returns nil if there is none.
  @usableFromInline func endFirst() -> (wait: QueuedWait, resumption: CancellableWait.Resumption)? {
    waits.endFirst()
  }
}
