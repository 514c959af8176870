/// A blocking mutex of the model.
package struct Lock {
  private let id: Int
  private let made: Moment
  /// The execution to which `owner` and `clock` belong.
  private var execution: UInt32
  private var owner: Int = -1
  private var waiters: Waiters = Waiters()
  /// The vector clock of the last owner.
  private var clock: VectorClock = VectorClock()

  fileprivate init(_ id: Int, _ made: Moment, _ execution: UInt32) {
    self.id = id
    self.made = made
    self.execution = execution
  }

  // NB: a lock is always used through a pointer, because a fiber that waits in a method must not keep a copy.
  package static func make(_ type: @autoclosure () -> String) -> UnsafeMutablePointer<Lock> {
    let lock = UnsafeMutablePointer<Lock>.allocate(capacity: 1)
    lock.initialize(to: Lock(engine.nextLocation(), engine.moment, engine.execution))
    engine.trace("makes mutex \(lock.pointee.id) of \(type())")
    return lock
  }

  package static func lock(_ lock: UnsafeMutablePointer<Lock>) {
    visit(lock)
    let bit: UInt32 = 1 << UInt32(engine.current)
    if lock.pointee.owner < 0 {
      engine.point()
    }
    while lock.pointee.owner >= 0 {
      guard lock.pointee.owner != engine.current else { engine.fail("a thread locks a mutex that it holds") }
      engine.trace("waits for mutex \(lock.pointee.id)")
      lock.pointee.waiters.bits |= bit
      engine.block("a mutex")
      lock.pointee.waiters.bits &= ~bit
    }
    take(lock)
  }

  /// Locks a mutex if no other fiber holds it.
  package static func tryLock(_ lock: UnsafeMutablePointer<Lock>) -> Bool {
    visit(lock)
    engine.point()
    guard lock.pointee.owner < 0 else { return false }
    take(lock)
    return true
  }

  package static func unlock(_ lock: UnsafeMutablePointer<Lock>) {
    engine.trace("unlocks mutex \(lock.pointee.id)")
    lock.pointee.clock = engine.release()
    lock.pointee.owner = -1
    engine.heldLocks -= 1
    engine.open(lock.pointee.waiters, for: lock.pointee.waiters.count)
  }

  private static func take(_ lock: UnsafeMutablePointer<Lock>) {
    lock.pointee.owner = engine.current
    engine.heldLocks += 1
    engine.open(lock.pointee.waiters, for: 0)
    engine.acquire(lock.pointee.clock)
    engine.trace("locks mutex \(lock.pointee.id)")
  }

  /// Checks that the initialisation of a lock happens before this use. A lock of an earlier execution counts
  /// as new.
  private static func visit(_ lock: UnsafeMutablePointer<Lock>) {
    if lock.pointee.execution != engine.execution {
      lock.initialize(to: Lock(engine.nextLocation(), Moment(), engine.execution))
    } else if !engine.clock.includes(lock.pointee.made) {
      engine.fail("a mutex is locked by a thread that its initialisation does not happen before")
    }
  }
}
