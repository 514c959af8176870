internal import ExplorerEngine

/// A number of pieces of work for which threads can wait.
public final class DispatchGroup: DispatchObject, @unchecked Sendable {
  private var count: Int = 0
  /// The joined vector clocks of the fibers that have left the group.
  private var clock: VectorClock = VectorClock()
  private let waiters: UnsafeMutablePointer<Waiters> = .allocate(capacity: 1)

  /// Creates an empty group.
  public override init() {
    waiters.initialize(to: Waiters())
  }

  deinit {
    waiters.deallocate()
  }

  /// Adds a piece of work.
  public func enter() {
    engine.point()
    count += 1
    engine.trace("enters a group")
  }

  /// Removes a piece of work.
  public func leave() {
    engine.point()
    guard count > 0 else { engine.fail("a group is left more often than it is entered") }
    count -= 1
    engine.trace("leaves a group")
    clock.join(engine.release())
    engine.open(waiters.pointee, for: count == 0 ? waiters.pointee.count : 0)
  }

  /// Blocks the calling thread while the group has work.
  public func wait() {
    engine.point()
    while count > 0 {
      engine.trace("waits for a group")
      engine.wait(waiters, for: "a group")
    }
    engine.acquire(clock)
  }
}
