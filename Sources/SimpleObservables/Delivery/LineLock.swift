internal import Synchronization

/// A lock whose guarded state stands beside it.
///
/// What is generic is compiled anew for each type where it can be seen; a lock that knows no types can
/// stay behind, and costs the same for all.
@usableFromInline
final class LineLock: Sendable {
  private let mutex: Mutex<Void> = Mutex(())

  #if THREAD_SANITIZER
    /// Shows the sanitizer in which order the mutex changes hands, as in `Locked`.
    private let handover: Atomic<Bool> = Atomic(false)
  #endif

  @usableFromInline
  init() {}

  @usableFromInline
  func withLock(_ body: () -> Void) {
    mutex.withLock { _ in
      #if THREAD_SANITIZER
        _ = handover.load(ordering: .acquiring)
        defer { handover.store(true, ordering: .releasing) }
      #endif
      body()
    }
  }
}
