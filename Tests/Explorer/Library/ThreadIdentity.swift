internal import ExplorerEngine

/// The identity of a fiber. It replaces the library type of the same name.
@frozen @usableFromInline package struct ThreadIdentity: Hashable, Sendable {
  @usableFromInline let fiber: Int

  init(fiber: Int) { self.fiber = fiber }

  /// The calling thread.
  @usableFromInline package static var current: ThreadIdentity { ThreadIdentity(fiber: engine.current) }

  /// This does nothing, because the explorer suspends a fiber at each operation on a lock or an atomic value.
  @usableFromInline package static func yieldProcessor() {}

  /// This does nothing, because the explorer's time does not pass while a fiber runs.
  @usableFromInline package static func sleepForMillisecond() {}
}
