internal import CSimpleEvents

/// Records, for a test scheduler, the objects that are about to deliver and the tasks that wait.
///
/// A test scheduler sets its log on the thread that it drives, for diagnostics of debug builds. An object
/// adds itself when it requests a turn or an alarm. A task adds its wait when it begins to wait. A release
/// build has no log.
package enum PendingLog {
  /// The log for tasks that `runOnMain` drives. It is task-local, because the main thread also runs other
  /// code.
  @TaskLocal package static var inherited: (any PendingRecorder)?

  /// The log of the scheduler that drives the caller; nil if there is none.
  private static var current: (any PendingRecorder)? {
    #if DEBUG
      guard let log = unsafe simple_events_pending_log() else { return inherited }
      // SAFETY: a scheduler retains its log while the log is set on a thread.
      return unsafe Unmanaged<AnyObject>.fromOpaque(log).takeUnretainedValue() as? any PendingRecorder
    #else
      return nil
    #endif
  }

  /// Adds an object, if it is a ``PendingObject``.
  ///
  /// - Parameter isRequest: Whether the object requests a turn or an alarm of its scheduler; false if the
  ///   object is pending without a request.
  @inline(__always)
  package static func note(
    _ object: @autoclosure () -> AnyObject, on scheduler: @autoclosure () -> any Sendable,
    isRequest: Bool = true
  ) {
    #if DEBUG
      if let log = current, let object = object() as? any PendingObject {
        log.add(object, on: scheduler(), isRequest: isRequest)
      }
    #endif
  }

  /// Records that the current task is about to wait.
  ///
  /// - Returns: An object that the task retains while it waits; nil if there is no log.
  @inline(__always) static func begin(_ wait: @autoclosure () -> PendingWait) -> AnyObject? {
    #if DEBUG
      current?.add(wait(), inRunOf: RunScope.current?.loop)
    #else
      nil
    #endif
  }

  /// Records a loop that is released with requests pending and has never had a host (L7).
  package static func noteNeglected(_ subject: DiagnosticSubject) { current?.addNeglected(subject) }

  /// Flags an asynchronous function of the main actor that is about to be called while a test scheduler holds
  /// the main thread: the call would wait until the scheduler returns (L6).
  @inline(__always)
  package static func flagIfBlocked(
    _ isolation: @autoclosure () -> (any Actor)?, _ function: String, of subject: DiagnosticSubject
  ) {
    #if DEBUG
      guard let log = current, isolation() === MainActor.shared, MainActor.shared.isCurrent == true,
        log.keepsThread
      else { return }
      subject.misuse.flag(.mainActorBlocked(function, of: subject))
    #endif
  }
}

/// The log of a test scheduler. The only conforming type is in the testing product.
package protocol PendingRecorder: AnyObject, Sendable {
  /// Whether the main actor gets no turn until the advance or run in progress ends.
  var keepsThread: Bool { get }

  /// - Parameter isRequest: Whether the object requests a turn or an alarm.
  func add(_ object: any PendingObject, on scheduler: any Sendable, isRequest: Bool)

  func addNeglected(_ subject: DiagnosticSubject)

  /// - Parameter loop: The loop in whose run the task waits; nil if the task belongs to no run.
  /// - Returns: An object that the task retains while it waits.
  func add(_ wait: PendingWait, inRunOf loop: ObjectIdentifier?) -> AnyObject
}

/// An object that coalesces and that diagnostics describe.
package protocol PendingObject: AnyObject {
  var subject: DiagnosticSubject { get }
  /// Whether a delivery comes without a further signal.
  var isPending: Bool { get }
  /// Whether a delivery is pending, but only at the end of a window (C8) or of a wait (L8) that never ends.
  var isEndless: Bool { get }
  /// Whether an asynchronous delivery is in progress.
  var isRunning: Bool { get }
  /// Whether a delivery is pending until a task hosts the object.
  var needsHost: Bool { get }
  /// Whether a delivery is pending or in progress. Both are read in one step.
  var isPendingOrDelivering: Bool { get }
  /// A clause that names the pending parts of the object, such as its pending keys; empty if no part is
  /// pending.
  var pendingParts: String { get }
  /// A clause that names the running parts of the object; empty if no part runs.
  var runningParts: String { get }
}

extension PendingObject {
  package var isRunning: Bool { false }
  package var needsHost: Bool { false }
  package var isPendingOrDelivering: Bool { isPending }
  package var pendingParts: String { "" }
  package var runningParts: String { "" }
}

/// The reason why a task waits, for diagnostics.
package enum PendingWait: Sendable {
  /// The end of all runs of a loop, with the identity of the loop and the name of the function that waits.
  case loop(ObjectIdentifier, DiagnosticSubject, call: String)
  case notification(of: DiagnosticSubject)
  /// The next value of a mailbox, or of a sequence of values.
  case value(of: DiagnosticSubject)
  /// The next run of a loop, for which the host of the loop waits.
  case run(of: DiagnosticSubject)
  /// A deadline of a scheduler.
  case deadline(on: any Sendable)
  /// An admission by a rate limiter that uses the clock of a scheduler.
  case admission(by: DiagnosticSubject, on: any Sendable)
}
