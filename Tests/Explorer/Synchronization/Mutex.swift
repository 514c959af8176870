public import ExplorerEngine

/// The part of the standard library's `Mutex` that the library uses, based on a lock of the explorer.
public struct Mutex<Value>: ~Copyable {
  private let value: UnsafeMutablePointer<Value>
  private let lock: UnsafeMutablePointer<Lock>

  /// Creates a mutex that guards a value.
  public init(_ initialValue: consuming sending Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initialValue)
    lock = Lock.make(_typeName(Value.self))
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    lock.deallocate()
  }

  /// Calls a closure with the value while the lock is held.
  public borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    Lock.lock(lock)
    defer { Lock.unlock(lock) }
    return try body(&value.pointee)
  }

  /// Calls a closure with the value while the lock is held, if no other thread holds it.
  public borrowing func withLockIfAvailable<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result? {
    guard Lock.tryLock(lock) else { return nil }
    defer { Lock.unlock(lock) }
    return try body(&value.pointee)
  }
}

// SAFETY: the value is accessed only under the lock, and all fibers run on one thread.
extension Mutex: @unchecked Sendable {}
