/// One wait of a task in diagnostics. The wait is in progress as long as this value exists.
///
/// In a release build the value is empty.
package struct PendingWait {
  /// The end that a task waits for.
  package enum Awaited: Sendable {
    /// The end of all runs of a refresh loop, with the identity of the loop.
    case loop(ObjectIdentifier, DiagnosticSubject, call: String)
    case notification(of: DiagnosticSubject)
    /// A value of a mailbox: the type of the mailbox, and its event.
    case value(of: Any.Type, DiagnosticSubject?)
    /// A run of a loop, which its host waits for.
    case run(of: DiagnosticSubject)
    /// A deadline of a scheduler.
    case deadline(on: any Sendable)
  }

  package final class Record: Sendable {
    package let awaited: Awaited
    /// The loop in whose run the task waits, if it does.
    package let loop: ObjectIdentifier?
    /// The place in the order in which the waits began.
    let number: Int
    private let log: PendingLog

    init(_ awaited: Awaited, in loop: ObjectIdentifier?, to log: PendingLog) {
      self.awaited = awaited
      self.loop = loop
      self.log = log
      number = log.takeNumber()
      log.add(self)
    }

    deinit { log.remove(self) }
  }

  #if DEBUG
    private let record: Record?
  #endif

  /// Records that the current task is about to wait.
  @inline(__always)
  init(for awaited: @autoclosure () -> Awaited) {
    #if DEBUG
      record = PendingLog.current.map { Record(awaited(), in: RunScope.current?.loop, to: $0) }
    #endif
  }
}
