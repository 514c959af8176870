/// The queue of the tasks that wait for a value of a mailbox. The mailbox's lock guards the queue.
///
/// The class is not generic: in unspecialised code, a generic queue would look up its own types for each
/// wait.
@usableFromInline final class MailboxQueue {
  var waits: WaitList<QueuedWait> = WaitList()

  /// Ends the first wait, to which the caller then gives a value; returns nil if no task waits.
  @usableFromInline func endFirst() -> (wait: QueuedWait, resumption: CancellableWait.Resumption)? {
    waits.endFirst()
  }
}
