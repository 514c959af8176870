package import SimpleEvents

/// The input of the runs of a loop. The lock of the coalescer guards it.
package protocol LoopInput: Sendable {
  associatedtype Value: Sendable
  /// The type of the input that is taken under the lock.
  associatedtype Taken

  /// Whether the runs have elements. Each element is in one run, so the next host repeats the work of a run
  /// that has ended its host.
  var hasElements: Bool { get }

  /// The elements that the latest run has left, and the elements that were added after its start. Called
  /// under the lock.
  var rest: CoalescingGate.Rest { get }

  /// Marks all queued elements, so that none of them waits for a window. Called under the lock.
  func flush()
  /// Takes the input of a run. Called under the lock.
  func take() -> Taken
  /// Returns the input of a run; nil if there is no work. It calls functions of the user, in the task of the
  /// run.
  func value(of taken: Taken) -> Value?
  /// Keeps the input of a run for the next attempt. Called under the lock.
  func keep(_ value: Value)
  /// Answers the callers that wait for a run with this input. The run is not repeated.
  ///
  /// - Parameter error: The error of the run; nil if it has succeeded.
  func answer(_ value: Value, _ error: (any Error)?)
  /// Discards the input of a failed run, if no function of the user has received the error of the run.
  func discard(_ value: Value)
  /// Takes all elements. Called under the lock.
  ///
  /// - Returns: A function that discards the elements. It is called after the lock is released.
  func takeAll() -> (() -> Void)?
  /// The number of elements that a limit has dropped and that no earlier attempt has reported.
  func droppedCount(_ value: Value) -> Int
}

/// The input of a loop whose requests carry no elements. Each run has the same value.
package struct NoInput<Value: Sendable>: LoopInput {
  let value: Value

  package var hasElements: Bool { false }
  package var rest: CoalescingGate.Rest { CoalescingGate.Rest() }

  package func flush() {}
  package func take() {}
  package func value(of taken: Void) -> Value? { value }
  package func keep(_ value: Value) {}
  package func answer(_ value: Value, _ error: (any Error)?) {}
  package func discard(_ value: Value) {}
  package func takeAll() -> (() -> Void)? { nil }
  package func droppedCount(_ value: Value) -> Int { 0 }
}
