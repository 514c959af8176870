internal import Synchronization

/// A value behind a lock, for values that are not `Sendable` themselves.
///
/// The values, closures and tokens of this layer come from its users as they are, so the compiler cannot
/// check that they may cross threads.
///
/// Why this is sound: what is inside is reached under one mutex only, so no two threads touch it at once
/// and each sees what the one before has written. What becomes of a value that was handed out is its
/// owner's contract, stated there.
///
/// - Important: No user code, and no release of user objects, inside `withLock`: move them out and let
///   them go after it.
struct Locked<Value>: ~Copyable {
  // NB: not private: a private type nested in a generic one, used from another file, breaks the 6.3
  // compiler's module.
  struct Guarded: @unchecked Sendable {
    var value: Value
  }

  private let mutex: Mutex<Guarded>

  #if THREAD_SANITIZER
    /// Shows the sanitizer in which order the mutex changes hands: whoever had to wait for it got it inside
    /// the standard library, where the sanitizer does not look. Touched under the mutex only.
    private let handover: Atomic<Bool> = Atomic(false)
  #endif

  init(_ value: Value) {
    mutex = Mutex(Guarded(value: value))
  }

  borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { guarded -> Handed<Result> in
      #if THREAD_SANITIZER
        _ = handover.load(ordering: .acquiring)
        defer { handover.store(true, ordering: .releasing) }
      #endif
      return Handed(result: body(&guarded.value))
    }.result
  }

  /// Carries a result out of the lock, as the value came in.
  struct Handed<Result>: @unchecked Sendable {
    var result: Result
  }
}
