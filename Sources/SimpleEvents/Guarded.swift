// Public, since the mailbox's code is compiled into its users' modules, and this with it.
public import Synchronization

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
@usableFromInline
struct Guarded<Value>: ~Copyable, Sendable {
  // NB: not private: the 6.3 compiler then emits a broken module for generic classes in other files.
  @usableFromInline
  struct Contents: @unchecked Sendable {
    @usableFromInline var value: Value

    @inlinable
    init(value: Value) {
      self.value = value
    }
  }

  @usableFromInline let mutex: Mutex<Contents>

  #if THREAD_SANITIZER
    /// What the sanitizer is told about the order of the holders: a thread that had to wait for the mutex got
    /// it inside the standard library, which is not instrumented. Written and read by the holder only.
    @usableFromInline let handover: Atomic<Bool> = Atomic(false)
  #endif

  @inlinable
  init(_ value: Value) {
    mutex = Mutex(Contents(value: value))
  }

  @inlinable
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
  @usableFromInline
  struct Transferred<Result>: @unchecked Sendable {
    @usableFromInline var result: Result

    @inlinable
    init(result: Result) {
      self.result = result
    }
  }
}
