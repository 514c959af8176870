internal import Synchronization

/// A value behind a lock, for values that are not `Sendable` themselves.
///
/// The package's one answer to "this closure is not `Sendable`, yet its holder is": observers' blocks
/// and mailbox values come from the user as they are.
///
/// Why this is sound: the value is reached inside `withLock` only, under one mutex, so no two threads
/// touch it at once and each sees what the one before wrote. What the lock cannot promise, that the
/// value's own innards are used in one place only, is the holder's contract: a block is called on its
/// event's scheduler only, and `isolation:` flags the rest in debug builds (E9).
///
/// - Important: No user code, and no release of user objects, inside `withLock`: move them out and let
///   them go after it.
struct Guarded<Value>: ~Copyable {
  // NB: not private: the 6.3 compiler then emits a broken module for generic classes in other files.
  struct Contents: @unchecked Sendable {
    var value: Value
  }

  private let mutex: Mutex<Contents>

  #if THREAD_SANITIZER
    /// What the sanitizer is told about the order of the holders: a thread that had to wait for the mutex got
    /// it inside the standard library, which is not instrumented. Written and read by the holder only.
    private let handover: Atomic<Bool> = Atomic(false)
  #endif

  init(_ value: Value) {
    mutex = Mutex(Contents(value: value))
  }

  borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { contents -> Transferred<Result> in
      #if THREAD_SANITIZER
        _ = handover.load(ordering: .acquiring)
        defer { handover.store(true, ordering: .releasing) }
      #endif
      return Transferred(result: body(&contents.value))
    }.result
  }

  /// Carries a result out of the lock, as the contents came in.
  struct Transferred<Result>: @unchecked Sendable {
    var result: Result
  }
}
