public import SimpleEvents

/// Lets a monitor watch the coalescing objects that an operation creates.
///
/// ```swift
/// let inspector = CoalescingInspector()
/// withCoalescingMonitor(inspector) {
///   let event = LazySimpleEvent(on: scheduler, label: "title")
///   event.trigger()
///   scheduler.run()
/// }
/// print(inspector)
/// ```
///
/// The monitor replaces the monitor of `CoalescingSystem.bootstrap` for objects that are created by the
/// operation, by tasks that inherit from it, or by work that a ``TestScheduler`` runs inside it. Such an
/// object is watched until its end, even after this function has returned. Objects that existed before the
/// operation are not watched. Nor are objects that are created by a block of a real queue, by a run of a loop
/// that owns its body (L3), by a detached task, or by a task from before the operation.
///
/// Tests may use different monitors at the same time.
///
/// - Parameters:
///   - monitor: The monitor. Objects that the expression of this argument creates are not watched.
///   - operation: The code that creates the objects to watch. Called once, before this function returns.
/// - Returns: The result of the operation.
@discardableResult
public func withCoalescingMonitor<Result, Failure: Error>(
  _ monitor: @autoclosure () -> any CoalescingMonitor, operation: () throws(Failure) -> Result
) throws(Failure) -> Result {
  let monitor = CoalescingSystem.withoutMonitor(monitor)
  CoalescingSystem.willScope()
  var outcome: Swift.Result<Result, Failure>?
  CoalescingSystem.$scoped.withValue(monitor) {
    do throws(Failure) {
      outcome = .success(try operation())
    } catch {
      outcome = .failure(error)
    }
  }
  return try outcome!.get()
}

/// Lets a monitor watch the coalescing objects that an asynchronous operation creates.
///
/// - Parameters:
///   - monitor: The monitor. Objects that the expression of this argument creates are not watched.
///   - operation: The code that creates the objects to watch. Called once, on the actor of the caller.
/// - Returns: The result of the operation.
@discardableResult
nonisolated(nonsending)
  public func withCoalescingMonitor<Result>(
    _ monitor: @autoclosure () -> any CoalescingMonitor,
    operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result
{
  let monitor = CoalescingSystem.withoutMonitor(monitor)
  CoalescingSystem.willScope()
  return try await CoalescingSystem.$scoped.withValue(monitor, operation: operation)
}
