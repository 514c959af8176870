/// The result of the body of a run, after its error was reported.
package struct RunResult: Sendable {
  package static let succeeded: RunResult = RunResult(hasSucceeded: true)
  /// The body has thrown after the cancellation of its task.
  package static let cancelled: RunResult = RunResult(isCancelled: true)

  /// The body has thrown.
  ///
  /// - Parameter delay: The wait before the next attempt; nil if the error is not retried.
  package static func failed(retryAfter delay: Duration?) -> RunResult { RunResult(delay: delay) }

  var hasSucceeded: Bool = false
  var isCancelled: Bool = false
  var delay: Duration?
  /// Whether the work is not done, so that the next host repeats it (L9).
  package var keepsWork: Bool = false
  /// The number of elements that a limit has dropped, for a monitor.
  var dropped: Int = 0
  /// The error of the run, for a monitor and for the callers that wait for an answer.
  var error: (any Error)?
  /// Whether the error comes from a cancellation and is not a failure, for a monitor.
  var isCancellation: Bool = false

  private init(hasSucceeded: Bool = false, isCancelled: Bool = false, delay: Duration? = nil) {
    (self.hasSucceeded, self.isCancelled, self.delay) = (hasSucceeded, isCancelled, delay)
  }
}
