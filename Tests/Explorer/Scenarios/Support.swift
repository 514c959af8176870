internal import ExplorerDispatch
internal import ExplorerEngine
internal import ExplorerSynchronization
internal import SimpleEvents

func makeEvent(on queue: DispatchQueue, _ policy: CoalescingPolicy = .nextTurn) -> LazySimpleEvent {
  LazySimpleEvent(queue: queue, policy: policy)
}

extension LazySimpleEvent {
  func observe(_ block: @escaping () -> Void) -> any SimpleEventToken {
    addObserver(isolation: nil) { _ in block() }!
  }
}

let allScenarios: [Scenario] = [firstUse, twoRemovals]

extension DispatchQueue {
  /// Queues work that need not be `Sendable`.
  func run(_ work: @escaping () -> Void) {
    // SAFETY: all fibers run on one thread.
    nonisolated(unsafe) let work = work
    async { work() }
  }
}
