internal import CSimpleEvents

extension CancellableWait {
  /// Suspends the current task until a wait ends, on the actor of the caller.
  ///
  /// - Parameters:
  ///   - awaited: The end that the task waits for, in diagnostics.
  ///   - isolation: The actor of the caller.
  ///   - begin: Begins the wait, with the function that resumes the task.
  ///   - cancel: Cancels the wait, on any thread, even before it begins. By default, a cancellation of the
  ///     task does not end the wait.
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
        // A closure that does not capture the actor leaves it: the wait would begin on the global pool.
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
/// The reason is not the result of the continuation. If a task is resumed before it waits, the runtime does
/// not tell the thread sanitizer, and a release build reads a result before this package can tell it.
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

// SAFETY: the end is written before the task is resumed, by one thread, and is read after that, by the task.
extension SuspendedTask: @unchecked Sendable {}
