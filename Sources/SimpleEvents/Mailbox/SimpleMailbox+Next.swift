extension SimpleMailbox {
  /// Takes the value out of the box. If the box is empty, the call waits for a value.
  ///
  /// ```swift
  /// while let path = await scanner.found.next() {
  ///   await index.add(path)
  /// }
  /// ```
  ///
  /// A value that is put while tasks wait goes to the task that has waited longest. Each value goes to
  /// exactly one task, and a cancellation loses no value (M3). The call keeps the mailbox alive.
  ///
  /// - Returns: The value; nil if the task was cancelled before the call, or while it waited.
  /// - Complexity: Amortised O(1).
  public func next() async -> T? {
    let wait = MailboxWait(mailbox: self)
    await CancellableWait.suspend(for: .value(of: subject)) {
      wait.begin($0)
    } cancel: {
      wait.cancel()
    }
    return wait.value
  }
}
