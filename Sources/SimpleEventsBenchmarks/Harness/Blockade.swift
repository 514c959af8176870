internal import Dispatch

/// Keeps a serial queue busy, so that what is sent to it stays pending.
struct Blockade: Sendable {
  private let semaphore: DispatchSemaphore = DispatchSemaphore(value: 0)

  /// Returns when the queue is busy.
  init(_ queue: DispatchQueue) {
    let begun = DispatchSemaphore(value: 0)
    queue.async { [semaphore] in
      begun.signal()
      semaphore.wait()
    }
    begun.wait()
  }

  /// Lets the queue go on; called once.
  func lift() {
    semaphore.signal()
  }
}
