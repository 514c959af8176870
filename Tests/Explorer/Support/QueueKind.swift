internal import ExplorerDispatch

/// The kinds of queue on which scenarios run.
enum QueueKind: String, CaseIterable, Sendable {
  case serial
  case concurrent

  func make(_ label: String = "queue") -> DispatchQueue {
    DispatchQueue(label: label, attributes: self == .concurrent ? .concurrent : [])
  }
}

extension DispatchQueue {
  /// Queues work that need not be `Sendable`.
  func run(_ work: @escaping () -> Void) {
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let work = work
    async { work() }
  }
}
