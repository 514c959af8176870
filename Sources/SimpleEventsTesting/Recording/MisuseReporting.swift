public import SimpleEvents

/// Passes every misuse during an operation to a closure instead of stopping the program.
///
/// ```swift
/// withMisuseReported { misuse in
///   Issue.record(Comment(rawValue: misuse.message))
/// } operation: {
///   model.close()
/// }
/// ```
///
/// The closure replaces `MisuseHandler.debugTrap` for the operation, for tasks that inherit from it, and for
/// work that a ``TestScheduler`` runs inside it. It does not replace the handler in blocks that a real queue
/// calls, in the runs of a loop that owns its body (L3), in detached tasks, in tasks that were created before
/// the operation, and in isolated deinits. To report misuse in such code, pass `misuse: .report { … }` to the
/// objects that the code uses, and to the loop itself. Handlers other than `debugTrap` are not replaced. A
/// release build does not check for misuse, so it never calls the closure.
///
/// The program continues after a misuse. An observer that triggers its `SimpleEvent` in each call therefore
/// does so until the stack overflows, unless the closure removes the observer's token.
///
/// Create the events inside the operation, so that they are deallocated before it ends. An observer that was
/// never removed may be flagged only when its event is deallocated.
///
/// - Parameters:
///   - report: Called on the thread of the misuse, under no lock. After the call the operation continues as
///     in a release build.
///   - operation: The code in which misuse is reported. Called once, before this function returns.
/// - Returns: The result of the operation.
@discardableResult
public func withMisuseReported<Result, Failure: Error>(
  _ report: @escaping @Sendable (Misuse) -> Void, operation: () throws(Failure) -> Result
) throws(Failure) -> Result {
  var outcome: Swift.Result<Result, Failure>?
  MisuseHandler.$substitute.withValue(.report(report)) {
    do throws(Failure) {
      outcome = .success(try operation())
    } catch {
      outcome = .failure(error)
    }
  }
  return try outcome!.get()
}

/// Passes every misuse during an asynchronous operation to a closure instead of stopping the program.
///
/// - Parameters:
///   - report: Called on the thread of the misuse, under no lock. After the call the operation continues as
///     in a release build.
///   - operation: The code in which misuse is reported. Called once, on the actor of the caller.
/// - Returns: The result of the operation.
@discardableResult
nonisolated(nonsending)
  public func withMisuseReported<Result>(
    _ report: @escaping @Sendable (Misuse) -> Void,
    operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result
{
  try await MisuseHandler.$substitute.withValue(.report(report), operation: operation)
}
