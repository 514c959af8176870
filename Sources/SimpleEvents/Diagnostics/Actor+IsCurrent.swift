internal import CSimpleEvents
internal import Dispatch

extension Actor {
  /// Whether the caller runs on this actor; nil if the actor's executor does not know.
  ///
  /// The check starts no task and allocates no memory. The standard library offers this check only as
  /// assertions, which stop the program with their own message.
  ///
  /// - Complexity: O(1).
  nonisolated package var isCurrent: Bool? {
    // Work on the main queue runs on the main actor, even if it is not part of a task.
    if self === MainActor.shared && DispatchQueue.getSpecific(key: mainQueueKey) != nil { return true }
    guard #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) else {
      return self === MainActor.shared ? false : nil
    }
    // SAFETY: an executor reference is two words: the object, and its witness table with flags in the lowest
    // bits. A default actor has no witness table.
    let (identity, implementation) = unsafe unsafeBitCast(unownedExecutor, to: (UInt, UInt).self)
    if simple_events_is_current_executor(identity, implementation) { return true }
    guard self !== MainActor.shared && implementation & ~7 != 0 else { return false }
    // The current job, if there is one, belongs to another executor. The actor's own executor may still know
    // that the current thread is its own.
    // NB: for a default actor, `asSerialExecutor()` returns a value without a witness table. That value must
    // not be used.
    return unsafe unownedExecutor.asSerialExecutor()?.isIsolatingCurrentContext()
  }
}

/// Marks the main queue. The mark is also found on the queues that target the main queue.
private let mainQueueKey: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()
