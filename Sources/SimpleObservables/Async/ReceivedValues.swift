package import SimpleEvents

/// The values that a loop has not taken yet, the end of their sequence, and the wait of the loop's task.
///
/// Any thread may add values. One task takes them. If a second task waits, the wait of the first task ends.
package final class ReceivedValues<Value: Sendable>: Sendable {
  private struct State {
    var values: Fifo<Value> = Fifo()
    /// The end of the sequence; nil before it.
    var completion: Completion?
    /// The wait of the task; empty if the task does not wait.
    var waits: WaitList<QueuedWait> = WaitList()
  }

  /// The subscription from which the values come.
  let subscription: Subscription = Subscription()
  /// The largest number of values that are kept.
  private let limit: Int
  /// Guards the values, the end and the wait. Values are released, and the task is resumed, after the
  /// lock is released.
  private let state: Guarded<State> = Guarded(State())

  package init(buffering policy: BufferingPolicy) { limit = policy.limit }

  /// Adds a value, and drops the oldest value if there are too many.
  package func add(_ value: Value) {
    let (resumption, dropped) = state.withLock { state -> (CancellableWait.Resumption?, Value?) in
      guard state.completion == nil else { return (nil, nil) }
      state.values.append(value)
      return (state.waits.endFirst()?.resumption, state.values.count > limit ? state.values.popFirst() : nil)
    }
    resumption?()
    withExtendedLifetime(dropped) {}
  }

  /// Ends the sequence after the values that were added, unless it has already ended.
  package func end(_ completion: Completion) {
    let resumption = state.withLock { state -> CancellableWait.Resumption? in
      guard state.completion == nil else { return nil }
      state.completion = completion
      return state.waits.endFirst()?.resumption
    }
    resumption?()
  }

  /// Removes the subscription, and ends the sequence after the values that were added.
  package func cancel() {
    subscription.remove()
    end(.finished)
  }

  /// Takes the next value.
  ///
  /// - Returns: The value; nil if there is none yet; `.some(nil)` if the sequence has finished.
  /// - Throws: The error of the sequence, once.
  package func take() throws -> Value?? {
    let (value, error) = state.withLock { state -> (Value??, (any Error)?) in
      if case .some(let value) = state.values.popFirst() { return (.some(.some(value)), nil) }
      switch state.completion {
      case nil: return (nil, nil)
      case .finished: return (.some(nil), nil)
      case .failed(let error):
        state.completion = .finished
        return (nil, error)
      }
    }
    if let error { throw error }
    return value
  }

  /// Begins the wait for a value or the end.
  package func wait(_ resume: @escaping CancellableWait.Resume) {
    let wait = QueuedWait()
    let (own, other) = state.withLock { state in
      let other = state.waits.endFirst(.cancelled)?.resumption
      let isReached = !state.values.isEmpty || state.completion != nil
      return (state.waits.add(wait, resume, unless: isReached), other)
    }
    other?()
    own?()
  }
}
