// The end of the waits for the notifications of an event whose scheduler can no longer run work (S7).
extension ObserverList {
  /// Calls a function, on any thread, when the scheduler of the event is lost.
  ///
  /// - Parameter id: Identifies the function in ``removeLossHandler(_:)``.
  func addLossHandler(_ id: ObjectIdentifier, _ handler: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if !state.isClosed { state.makeDetails().lossHandlers[id] = handler }
    }
  }

  func removeLossHandler(_ id: ObjectIdentifier) {
    // The function is released here, after the lock.
    _ = state.withLock { state in
      state.isClosed ? nil : state.details?.lossHandlers.removeValue(forKey: id)
    }
  }

  /// Calls the functions, under no lock.
  func reportLoss() {
    let handlers = state.withLock { $0.details?.lossHandlers ?? [:] }
    for handler in handlers.values { handler() }
  }
}
