internal import ExplorerEngine

extension DispatchQueue {
  /// Runs work after all queued work, and returns when it has ended.
  public func sync<Result>(execute work: () throws -> Result) rethrows -> Result {
    let turn = Turn()
    engine.point()
    engine.trace("waits for a turn of \(label)")
    // The worker waits while the caller runs its work.
    enqueue(knowing: engine.release()) {
      turn.hasCome = true
      turn.pass()
      turn.wait(for: "a caller of sync") { turn.isOver }
    }
    turn.wait(for: "a turn of a queue") { turn.hasCome }
    defer {
      turn.isOver = true
      turn.pass()
    }
    return try asCurrent(work)
  }
}

/// A turn of a queue that a caller of `sync` takes over and returns.
private final class Turn {
  var hasCome: Bool = false
  var isOver: Bool = false
  private var clock: VectorClock = VectorClock()
  private let waiters: UnsafeMutablePointer<Waiters> = .allocate(capacity: 1)

  init() {
    waiters.initialize(to: Waiters())
  }

  deinit {
    waiters.deallocate()
  }

  func pass() {
    clock = engine.release()
    engine.open(waiters.pointee, for: 1)
  }

  func wait(for obstacle: StaticString, until isTrue: () -> Bool) {
    while !isTrue() {
      engine.wait(waiters, for: obstacle)
    }
    engine.acquire(clock)
  }
}
