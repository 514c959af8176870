/// The tasks that wait for the value of a mailbox. The mailbox's lock guards it.
///
/// It does not know the type of the value: in unspecialised generic code the queue would look up its own
/// types for each wait.
@usableFromInline final class MailboxQueue {
  var waits: WaitList<QueuedWait> = WaitList()

  /// Ends the first wait, for the caller to give it a value; returns nil if there is none.
  @usableFromInline func endFirst() -> (wait: QueuedWait, resumption: CancellableWait.Resumption)? {
    waits.endFirst()
  }
}
