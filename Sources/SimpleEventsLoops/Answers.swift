package import SimpleEvents

/// The requests of a loop, or of one key of a loop, whose callers wait for the answer (L10). The lock of the
/// loop guards them.
///
/// The first run that begins after a request answers the request. If that run is repeated, a later run gives
/// the answer. The wait therefore stores only the number of the first run. If the run in progress answers a
/// request, the wait stores the number of the run in progress.
struct Answers {
  private var waits: WaitList<AnswerWait> = WaitList()
  /// The error of the latest run, for requests that a leading-only policy ignores after that run.
  private var latestError: (any Error)?

  var isEmpty: Bool { waits.isEmpty }

  /// Adds a request.
  ///
  /// - Parameters:
  ///   - number: The number of the first run that answers the request; nil if the latest run has answered it.
  ///   - isDropped: Whether the request is dropped if the number is nil.
  /// - Returns: The resumption, if the caller does not wait.
  mutating func add(
    _ wait: AnswerWait, _ resume: @escaping CancellableWait.Resume, from number: Int?, isDropped: Bool = false
  ) -> CancellableWait.Resumption? {
    if let number { wait.number = number } else { wait.error = isDropped ? CancellationError() : latestError }
    return waits.add(wait, resume, unless: number == nil)
  }

  /// Cancels the wait of a request, even if the wait is added after this call.
  mutating func cancel(_ wait: AnswerWait) -> CancellableWait.Resumption? { waits.cancel(wait) }

  /// Ends the waits whose numbers are in a range.
  mutating func end(_ numbers: ClosedRange<Int>, with error: (any Error)?) -> [CancellableWait.Resumption] {
    waits.end { wait in
      guard numbers.contains(wait.number) else { return false }
      wait.error = error
      return true
    }
  }

  /// Records the error of the latest run; returns the previous error, which is released after the lock is
  /// released.
  mutating func replaceError(by error: (any Error)?) -> (any Error)? {
    defer { latestError = error }
    return latestError
  }
}

/// A request whose caller waits for the answer.
package final class AnswerWait: WaitListEntry {
  package var state: CancellableWait = .new
  /// The number of the first run that answers the request.
  fileprivate var number: Int = .max
  /// The reason why the request has no answer; nil if the run has succeeded. It is read after the wait has
  /// ended.
  package fileprivate(set) var error: (any Error)?

  package init() {}
}

// SAFETY: the properties are used under the lock of the runs, and the error is read after the wait has ended.
extension AnswerWait: @unchecked Sendable {}
