extension SimpleMailbox {
  /// Takes the value out of the box, and waits for one if the box is empty.
  ///
  /// ```swift
  /// while let path = await scanner.found.next() {
  ///   await index.add(path)
  /// }
  /// ```
  ///
  /// A value that is put while tasks wait goes to the one that has waited longest. Each value goes to exactly one task, and
  /// a cancellation loses none (M3). The call keeps the mailbox alive.
  ///
  /// - Returns: The value; nil if the task was cancelled before there was one.
  /// - Complexity: Amortised O(1).
  public func next() async -> T? {
    let wait = MailboxWait(mailbox: self)
    let pendingWait = PendingWait(for: .value(of: Self.self, event?.subject))
    defer { withExtendedLifetime(pendingWait) {} }
    await withTaskCancellationHandler(
      operation: {
        await unsafe withUnsafeContinuation { continuation in
          // SAFETY: a waiter calls the closure once.
          wait.begin { unsafe continuation.resume() }
        }
      }, onCancel: { wait.cancel() })
    return wait.value
  }
}

/// One wait of one task for a value.
package struct MailboxWait<T> {
  private let mailbox: SimpleMailbox<T>
  private let waiter: MailboxWaiter<T> = MailboxWaiter()

  package init(mailbox: SimpleMailbox<T>) { self.mailbox = mailbox }

  /// The value, once the closure that was passed to ``begin(_:)`` has been called; nil if the wait was cancelled.
  package var value: T? { waiter.value }

  /// Takes the value out of the box, or queues for one, and calls a closure when the wait is over.
  ///
  /// - Parameter wake: Called once, under no lock, perhaps before this method returns.
  package func begin(_ wake: @escaping @Sendable () -> Void) {
    let (isOver, hasTaken) = mailbox.state.withLock { state -> (Bool, Bool) in
      guard !waiter.isOver else { return (true, false) }
      if case .some = state.value {
        swap(&waiter.value, &state.value)
        waiter.isOver = true
        state.version += 1
        return (true, true)
      }
      let queue = state.queue ?? MailboxQueue()
      state.queue = queue
      queue.append(waiter, wake)
      return (false, false)
    }
    if hasTaken { mailbox.event?.trigger() }
    if isOver { wake() }
  }

  /// Ends the wait without a value, unless it has one.
  package func cancel() {
    let isWoken = mailbox.state.withLock { state in
      guard !waiter.isOver else { return false }
      waiter.isOver = true
      return state.queue?.remove(waiter) ?? false
    }
    if isWoken { waiter.wake() }
  }
}

// SAFETY: a cancellation may come on any thread, also if the value is not `Sendable`. It changes the queue under the lock,
// and neither uses nor releases a value. All else happens on the thread of the caller or after the closure was called.
extension MailboxWait: @unchecked Sendable {}
