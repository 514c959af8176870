internal import ExplorerEngine

/// The identity of a fiber, in place of the library type of this name.
@frozen @usableFromInline package struct ThreadIdentity: Hashable, Sendable {
  @usableFromInline let fiber: Int

  init(fiber: Int) { self.fiber = fiber }

  /// The calling thread.
  @usableFromInline package static var current: ThreadIdentity { ThreadIdentity(fiber: engine.current) }

  /// The explorer suspends a fiber at each operation on a lock or an atomic value, so this needs none.
  @usableFromInline package static func yieldProcessor() {}

  /// The explorer's time does not pass in a fiber that runs.
  @usableFromInline package static func sleepForMillisecond() {}
}
