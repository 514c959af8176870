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
    for awaited: @autoclosure () -> PendingWait.Awaited,
    isolation: isolated (any Actor)? = #isolation,
    begin: (@escaping Resume) -> Void, cancel: @Sendable () -> Void = {}
  ) async -> End {
    let pendingWait = PendingWait(for: awaited())
    defer { withExtendedLifetime(pendingWait) {} }
    let end = await withTaskCancellationHandler(
      operation: {
        // A closure that does not capture the actor leaves it: the wait would begin on the global pool.
        _ = isolation
        return await unsafe withUnsafeContinuation { continuation in
          // SAFETY: a wait calls the function once.
          begin { unsafe continuation.resume(returning: $0) }
        }
      }, onCancel: cancel)
    if simple_events_is_thread_sanitized { simple_events_did_resume_task() }
    return end
  }
}
