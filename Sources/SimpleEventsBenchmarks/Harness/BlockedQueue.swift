internal import Dispatch

/// Keeps a serial queue busy, so that work on the queue stays pending.
struct BlockedQueue: Sendable {
  private let semaphore: DispatchSemaphore = DispatchSemaphore(value: 0)

  /// Occupies a queue, and returns when the queue is busy.
  init(_ queue: DispatchQueue) {
    let begun = DispatchSemaphore(value: 0)
    queue.async { [semaphore] in
      begun.signal()
      semaphore.wait()
    }
    begun.wait()
  }

  /// Ends the occupation. Call this method once.
  func lift() {
    semaphore.signal()
  }
}

extension Trial {
  /// A trial on a queue. The queue is busy until all runs have ended, and then delivers once.
  ///
  /// - Parameters:
  ///   - operations: The number of operations in one run; by default the fixture's size.
  ///   - finish: Called once, when all runs have ended.
  static func pending(
    _ fixture: Fixture, _ queue: DispatchQueue, operations: Int? = nil, keeping: AnyObject?,
    run: @escaping () -> Void,
    finish: @escaping () -> Void = {}
  ) -> Trial {
    let blockade = BlockedQueue(queue)
    fixture.sink.target = 1
    return Trial(
      operations: operations ?? fixture.n, deliveries: { _, _ in 1...1 },
      settle: {
        blockade.lift()
        finish()
        fixture.sink.wait()
        queue.sync {}
        withExtendedLifetime(keeping) {}
      }, run: run)
  }
}
