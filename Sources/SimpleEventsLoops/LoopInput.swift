package import SimpleEvents

/// The input of the runs of a loop, behind the lock of its coalescer.
package protocol LoopInput: Sendable {
  associatedtype Value: Sendable
  /// The input as it is taken under the lock.
  associatedtype Taken

  /// Whether a run has elements, which no other run has. The next host then repeats the work of a run that
  /// ended its host.
  var hasElements: Bool { get }

  /// The elements that the latest run has left, and those that were added since. Called under the lock.
  var rest: CoalescingGate.Rest { get }

  /// Lets all elements that are queued now be part of runs without a window. Called under the lock.
  func flush()
  /// Takes the input of a run. Called under the lock.
  func take() -> Taken
  /// The input of a run; nil if there is no work. Calls functions of the user, in the task of the run.
  func value(of taken: Taken) -> Value?
  /// Keeps the input of a run for the next attempt. Called under the lock.
  func keep(_ value: Value)
  /// Answers the callers that wait for the input of a run, which is not repeated.
  ///
  /// - Parameter error: The error of the run; nil if it has succeeded.
  func answer(_ value: Value, _ error: (any Error)?)
  /// Discards the input of a run that has failed, and whose error no function for errors has received.
  func discard(_ value: Value)
  /// Takes everything. Called under the lock.
  ///
  /// - Returns: A function that discards it, for a call after the lock is released.
  func takeAll() -> (() -> Void)?
  /// The number of elements that a limit has dropped, and that no earlier attempt has reported.
  func droppedCount(_ value: Value) -> Int
}

/// The input of a loop whose requests carry nothing.
package struct NoInput: LoopInput {
  package var hasElements: Bool { false }
  package var rest: CoalescingGate.Rest { CoalescingGate.Rest() }

  package init() {}

  package func flush() {}
  package func take() {}
  package func value(of taken: Void) -> Void? { () }
  package func keep(_ value: Void) {}
  package func answer(_ value: Void, _ error: (any Error)?) {}
  package func discard(_ value: Void) {}
  package func takeAll() -> (() -> Void)? { nil }
  package func droppedCount(_ value: Void) -> Int { 0 }
}
