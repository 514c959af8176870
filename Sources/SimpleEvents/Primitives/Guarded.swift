// Public, because the code of generic types is compiled into their clients' modules, and this type with it.
public import CSimpleEvents
public import Synchronization

/// A value behind a lock, which need not be `Sendable` itself.
///
/// This is the one lock of the package. Blocks, elements and tokens come from the user as they are, so the
/// compiler cannot check that they may cross threads; their holder states on which thread they are used.
///
/// - Important: No user code runs and no user object is released inside ``withLock(_:)``. Move objects out of
///   the lock with ``exchange(_:)``, and release them after it.
@frozen @usableFromInline package struct Guarded<Value>: ~Copyable, Sendable {
  // SAFETY: the value is reached inside `withLock` only, under one mutex, so no two threads use it at the
  // same time, and each thread sees the writes of the previous one.
  // NB: not private, because the 6.3 compiler emits a broken module for generic classes in other files.
  @frozen @usableFromInline struct Contents: @unchecked Sendable {
    @usableFromInline var value: Value

    @inlinable init(value: Value) { self.value = value }
  }

  @usableFromInline let mutex: Mutex<Contents>

  @inlinable package init(_ value: Value) { mutex = Mutex(Contents(value: value)) }

  /// Calls a body with the value, under the lock, and returns the result of the body.
  @inlinable package borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { contents -> Transferred<Result> in
      guard simple_events_is_thread_sanitized else { return Transferred(result: body(&contents.value)) }
      // A thread that had to wait takes the mutex inside the standard library, which is not instrumented: the
      // sanitizer is told the order of the holders. A mutex is always passed by its address.
      unsafe withUnsafePointer(to: mutex) { unsafe simple_events_did_lock($0) }
      let result = body(&contents.value)
      unsafe withUnsafePointer(to: mutex) { unsafe simple_events_will_unlock($0) }
      return Transferred(result: result)
    }.result
  }

  /// Replaces the value, and returns the old one for the caller to release after the lock is released.
  @inlinable package borrowing func exchange(_ value: Value) -> Value {
    withLock { current in
      let old = current
      current = value
      return old
    }
  }

  /// Tells the thread sanitizer that the reads of a copy on this thread precede the next use of the lock.
  ///
  /// A holder of the lock changes an array in place once all copies are released. The sanitizer does not see
  /// the reference counts that order this.
  ///
  /// - Parameter copy: Not released before: an optimised build would otherwise release it after its last
  ///   read, and the sanitizer would be told too late.
  @inlinable borrowing func didReadCopy<Copy>(_ copy: Copy) {
    if simple_events_is_thread_sanitized {
      withLock { _ in }
      withExtendedLifetime(copy) {}
    }
  }

  // SAFETY: the result crosses the end of the lock on one thread. The caller is responsible for the state
  // that it shares with the value, as described for the value.
  @frozen @usableFromInline struct Transferred<Result>: @unchecked Sendable {
    @usableFromInline var result: Result

    @inlinable init(result: Result) { self.result = result }
  }
}
