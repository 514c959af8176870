/// The functions of a batch loop.
struct BatchWork<Element: Sendable>: RunWork {
  let body: BatchLoop<Element>.Body
  /// Nil if the task of the host receives errors.
  let onError: BatchLoop<Element>.ErrorHandler?

  var isolation: (any Actor)? { body.isolation }

  var returnsToHost: Bool { true }

  func takeInput(from runs: BatchRuns<Element>) -> CollectorBatch<Element>? { runs.takeBatch() }

  func droppedCount(_ batch: CollectorBatch<Element>, in runs: BatchRuns<Element>) -> Int {
    batch.droppedCount - runs.reportedDrops
  }

  func keep(_ batch: CollectorBatch<Element>, in runs: BatchRuns<Element>) { runs.putBack(batch) }

  nonisolated(nonsending) func call(_ batch: CollectorBatch<Element>) async throws {
    try await body(batch)
  }

  nonisolated(nonsending) func report(
    _ error: any Error, _ batch: CollectorBatch<Element>, for subject: DiagnosticSubject
  ) async -> Bool {
    guard let onError else { return false }
    PendingLog.flagIfBlocked(onError.isolation, "onError", of: subject)
    await onError(error, batch)
    return true
  }
}
