/// One wait of a task in diagnostics. It is in progress for as long as this value is kept.
///
/// In a release build it is empty.
package struct PendingWait {
  /// The end that a task waits for.
  package enum Awaited: Sendable {
    /// The end of all runs of a refresh loop, whose identity this is.
    case loop(ObjectIdentifier, DiagnosticSubject, call: String)
    case notification(of: DiagnosticSubject)
    /// A value of a mailbox: the type of the mailbox, and its event.
    case value(of: Any.Type, DiagnosticSubject?)
    /// A deadline of a scheduler.
    case deadline(on: any Sendable)
  }

  package final class Record: Sendable {
    package let awaited: Awaited
    /// The loop in whose run the task waits, if it does.
    package let loop: ObjectIdentifier?

    init(_ awaited: Awaited, in loop: ObjectIdentifier?) {
      self.awaited = awaited
      self.loop = loop
    }
  }

  /// The loop whose run the current task is part of. Set in debug builds.
  @TaskLocal static var currentLoop: ObjectIdentifier?

  #if DEBUG
    private let record: Record?
  #endif

  /// Calls the functions of a loop, so that their waits are known as waits of that loop's run.
  @inline(__always)
  nonisolated(nonsending)
    static func inRun(of loop: AnyObject, _ body: nonisolated(nonsending) () async -> Void) async
  {
    #if DEBUG
      await $currentLoop.withValue(ObjectIdentifier(loop), operation: body)
    #else
      await body()
    #endif
  }

  /// Notes that the current task is about to wait.
  @inline(__always)
  init(for awaited: @autoclosure () -> Awaited) {
    #if DEBUG
      guard let log = PendingLog.current else {
        record = nil
        return
      }
      let record = Record(awaited(), in: Self.currentLoop)
      log.add(record)
      self.record = record
    #endif
  }
}
