/// The functions of a refresh loop.
struct RefreshWork: RunWork {
  let body: RefreshLoop.Body
  /// Nil if the task of the host receives errors.
  let onError: RefreshLoop.ErrorHandler?

  var isolation: (any Actor)? { body.isolation }

  var returnsToHost: Bool { false }

  func takeInput(from runs: RefreshRuns) -> Void? { () }

  func keep(_ input: Void, in runs: RefreshRuns) {}

  nonisolated(nonsending) func call(_ input: Void) async throws { try await body() }

  nonisolated(nonsending) func report(
    _ error: any Error, _ input: Void, for subject: DiagnosticSubject
  ) async -> Bool {
    guard let onError else { return false }
    PendingLog.flagIfBlocked(onError.isolation, "onError", of: subject)
    await onError(error)
    return true
  }
}
