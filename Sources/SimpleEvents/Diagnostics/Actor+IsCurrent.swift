internal import Dispatch
internal import Synchronization

extension Actor {
  /// Whether the caller runs on this actor; true where the actor's executor cannot say.
  ///
  /// The standard library offers assertions only, which stop the program with a text of their own.
  nonisolated package var isCurrent: Bool {
    // Work on the main queue runs on the main actor, also if it is not part of a task.
    if self === MainActor.shared && DispatchQueue.getSpecific(key: mainQueueKey) != nil { return true }
    guard #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) else {
      return self !== MainActor.shared
    }
    // An executor that does not know the current context returns nil.
    if let executor = customExecutor { return executor.isIsolatingCurrentContext() ?? true }
    return startsOnTheSpot
  }

  /// The executor of this actor, if it is an object of its own; nil for a default actor and the main actor.
  // NB: `asSerialExecutor()` returns a value without a witness table for a default actor, which must not be used.
  private nonisolated var customExecutor: (any SerialExecutor)? {
    guard self !== MainActor.shared else { return nil }
    // SAFETY: an executor reference is two words: the object, and its witness table with flags in the lowest bits.
    let witnessTable = unsafe unsafeBitCast(unownedExecutor, to: (UInt, UInt).self).1 & ~7
    return witnessTable == 0 ? nil : unsafe unownedExecutor.asSerialExecutor()
  }

  /// Whether a task of this actor starts synchronously, which it does if and only if the caller runs on the actor.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private nonisolated var startsOnTheSpot: Bool {
    let hasRun = Atomic(false)
    let caller = ThreadIdentity.current
    let start: (isolated any Actor) -> Void = { actor in
      _ = Task.immediate {
        _ = actor
        // NB: a task that had to wait may have found its actor idle, and run on another thread by now.
        if ThreadIdentity.current == caller { hasRun.store(true, ordering: .relaxed) }
      }
    }
    // SAFETY: isolation is not part of a function's representation. The function uses nothing of the actor's: it
    // names the actor and starts a task that does the same. `assumeIsolated` of the standard library rests on the
    // same cast.
    unsafe unsafeBitCast(start, to: ((any Actor) -> Void).self)(self)
    // Relaxed, because a task that started synchronously wrote the flag on this thread.
    return hasRun.load(ordering: .relaxed)
  }
}

/// Marks the main queue, and with it the queues that target it.
private let mainQueueKey: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()
