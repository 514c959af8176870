import Dispatch
import Synchronization

/// Keeps a queue's thread awake between two pieces of work, so that new work starts immediately.
final class QueueWarmer: Sendable {
  private let isStopped: Atomic<Bool> = Atomic(false)
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) {
    self.queue = queue
    runAgain()
  }

  private func runAgain() {
    queue.async { [self] in
      if !isStopped.load(ordering: .relaxed) { runAgain() }
    }
  }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    queue.sync {}
  }
}
