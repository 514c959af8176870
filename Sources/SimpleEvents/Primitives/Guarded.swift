// These imports are public because generic code that uses this type is compiled into client modules.
public import CSimpleEvents
public import Synchronization

/// A value that a lock guards. The value need not be `Sendable`.
///
/// This is the one lock of the package. The user's blocks, elements and tokens need not be `Sendable`, so the
/// compiler cannot check that they may cross threads. A type that stores a value that is not `Sendable`
/// documents the thread on which the value is used.
///
/// - Important: No user code runs and no user object is released inside ``withLock(_:)``. The exceptions are
///   the hashing of keys (K1) and the random numbers of a ``Backoff``. Move an object out with
///   ``exchange(_:)``, and release it after the lock is released.
@frozen @usableFromInline package struct Guarded<Value>: ~Copyable, Sendable {
  // SAFETY: the value is accessed only inside `withLock`, under one mutex, so no two threads use it at the
  // same time, and each holder of the mutex sees the writes of the previous holder.
  // NB: if this structure is private, the 6.3 compiler emits a broken module for generic classes in other
  // files.
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
      // A thread that has to wait takes the mutex inside the standard library, whose code is not
      // instrumented. The sanitizer is therefore told when the mutex is taken and released. A mutex cannot be
      // copied, so both pointers are its own address.
      unsafe withUnsafePointer(to: mutex) { unsafe simple_events_did_lock($0) }
      let result = body(&contents.value)
      unsafe withUnsafePointer(to: mutex) { unsafe simple_events_will_unlock($0) }
      return Transferred(result: result)
    }.result
  }

  /// Replaces the value, and returns the old one. The caller releases the old value under no lock.
  @inlinable package borrowing func exchange(_ value: Value) -> Value {
    withLock { current in
      let old = current
      current = value
      return old
    }
  }

  /// Tells the thread sanitizer that the reads of a copy on this thread precede the next use of the lock.
  ///
  /// Once all copies of an array are released, a holder of the lock changes the array in place. Reference
  /// counts order that change after the reads, but the sanitizer does not see reference counts.
  ///
  /// - Parameter copy: The copy that was read. This call keeps the copy alive: an optimised build would
  ///   otherwise release the copy after its last read, before the sanitizer knows of the reads.
  @inlinable borrowing func didReadCopy<Copy>(_ copy: Copy) {
    if simple_events_is_thread_sanitized {
      withLock { _ in }
      withExtendedLifetime(copy) {}
    }
  }

  // SAFETY: the result leaves `withLock` on the thread that has made it. If the result shares state with the
  // value, the caller is responsible for the threads on which that state is used.
  @frozen @usableFromInline struct Transferred<Result>: @unchecked Sendable {
    @usableFromInline var result: Result

    @inlinable init(result: Result) { self.result = result }
  }
}
