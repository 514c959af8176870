internal import CSimpleEvents

extension CancellableWait {
  /// Suspends the current task until a wait ends, and resumes it on the actor of the caller.
  ///
  /// - Parameters:
  ///   - awaited: The reason why the task waits, for diagnostics.
  ///   - isolation: The actor of the caller.
  ///   - begin: Begins the wait. It receives the function that resumes the task.
  ///   - cancel: Cancels the wait. It is called on any thread, perhaps before the wait begins. By default, a
  ///     cancellation of the task does not end the wait.
  /// - Returns: The reason why the wait has ended.
  @inline(__always)
  @discardableResult package static func suspend(
    for awaited: @autoclosure () -> PendingWait,
    isolation: isolated (any Actor)? = #isolation,
    begin: (@escaping Resume) -> Void, cancel: @Sendable () -> Void = {}
  ) async -> End {
    let wait = PendingLog.begin(awaited())
    defer { withExtendedLifetime(wait) {} }
    var task: SuspendedTask?
    await withTaskCancellationHandler(
      operation: {
        // A closure that does not capture the actor runs off it: the wait would begin on the global pool.
        _ = isolation
        await unsafe withUnsafeContinuation { continuation in
          let suspended = unsafe SuspendedTask(continuation)
          task = suspended
          begin { suspended.resume($0) }
        }
      }, onCancel: cancel)
    if simple_events_is_thread_sanitized { simple_events_did_resume_task() }
    return task!.end
  }
}

/// A task that waits, and the reason why its wait has ended.
///
/// The reason is stored here, and is not the result of the continuation. If a task is resumed before it is
/// suspended, the runtime does not report the resumption to the thread sanitizer. A release build would then
/// read the result before this package can report the resumption.
@safe private final class SuspendedTask {
  // SAFETY: a wait calls `resume(_:)` once.
  private let continuation: UnsafeContinuation<Void, Never>
  private(set) var end: CancellableWait.End = .reached

  init(_ continuation: UnsafeContinuation<Void, Never>) { unsafe self.continuation = unsafe continuation }

  func resume(_ end: CancellableWait.End) {
    self.end = end
    unsafe continuation.resume()
  }
}

// SAFETY: one thread writes the end before it resumes the task, and the task reads the end after that.
extension SuspendedTask: @unchecked Sendable {}
