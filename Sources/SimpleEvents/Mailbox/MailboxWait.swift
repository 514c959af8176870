/// One wait of one task for a value of a mailbox. The mailbox's lock guards the wait until the task is
/// resumed.
@usableFromInline package final class MailboxWait<T>: QueuedWait {
  private let mailbox: SimpleMailbox<T>
  /// The value that the wait has received; nil if the wait was cancelled, or is not over.
  @usableFromInline package internal(set) var value: T?

  package init(mailbox: SimpleMailbox<T>) {
    self.mailbox = mailbox
    super.init()
  }

  /// Takes the value out of the box, or queues the wait if the box is empty.
  ///
  /// - Parameter resume: The function that resumes the task. It is called when the wait is over.
  package func begin(_ resume: @escaping CancellableWait.Resume) {
    var hasTaken = false
    let resumption = mailbox.state.withLock { state -> CancellableWait.Resumption? in
      if let resumption = self.state.begin(resume) { return resumption }
      if case .some = state.value {
        swap(&value, &state.value)
        state.version += 1
        hasTaken = true
        return self.state.end(.reached)
      }
      let queue = state.queue ?? MailboxQueue()
      state.queue = queue
      queue.waits.append(self)
      return nil
    }
    if hasTaken { mailbox.event?.trigger() }
    resumption?()
  }

  /// Ends the wait without a value, unless the wait has already received one.
  package func cancel() {
    let resumption = mailbox.state.withLock { state -> CancellableWait.Resumption? in
      guard let queue = state.queue else {
        _ = self.state.end(.cancelled)
        return nil
      }
      return queue.waits.cancel(self)
    }
    resumption?()
  }
}

// SAFETY: a cancellation may come on any thread, even if the value is not `Sendable`. It changes the wait
// under the lock, and neither uses nor releases a value. All other accesses are made on the thread of the
// caller or after the task was resumed.
extension MailboxWait: @unchecked Sendable {}

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
