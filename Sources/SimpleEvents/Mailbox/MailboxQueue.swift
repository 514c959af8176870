/// The tasks that wait for the value of a mailbox, in order. The mailbox's lock guards it.
@usableFromInline final class MailboxQueue<T> {
  /// By ticket, so that a cancelled wait is removed from the middle.
  private var waiters: [UInt64: MailboxWaiter<T>] = [:]
  /// The tickets from `first` to the one before `next` are in use, except for those of cancelled waits.
  private var first: UInt64 = 0
  private var next: UInt64 = 0

  func append(_ waiter: MailboxWaiter<T>, _ wake: @escaping @Sendable () -> Void) {
    waiter.ticket = next
    waiter.action = wake
    waiters[next] = waiter
    next += 1
  }

  /// Returns whether the waiter was in the queue.
  func remove(_ waiter: MailboxWaiter<T>) -> Bool {
    guard waiters.removeValue(forKey: waiter.ticket) != nil else { return false }
    if waiters.isEmpty { first = next }
    return true
  }

  /// Gives a value to the first waiter; returns nil if there is no value or nothing waits.
  @usableFromInline func serve(_ value: T?) -> MailboxWaiter<T>? {
    guard case .some = value, !waiters.isEmpty else { return nil }
    while true {
      defer { first += 1 }
      guard let waiter = waiters.removeValue(forKey: first) else { continue }
      waiter.value = value
      waiter.isOver = true
      return waiter
    }
  }
}

/// A task that waits for the value of a mailbox. The mailbox's lock guards it until the task is woken.
@usableFromInline final class MailboxWaiter<T> {
  var value: T?
  /// Whether the waiter has a value or was cancelled.
  var isOver: Bool = false
  /// The place in the queue. No ticket has the initial value.
  var ticket: UInt64 = .max
  var action: (@Sendable () -> Void)?

  /// Wakes the task. Called once, after the lock, for a waiter that has left the queue.
  @usableFromInline func wake() { action?() }
}
