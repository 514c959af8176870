internal import ExplorerEngine

/// The identity of a fiber, in place of the library type of this name.
package struct ThreadIdentity: Hashable, Sendable {
  private let fiber: Int

  /// The calling thread.
  package static var current: ThreadIdentity { ThreadIdentity(fiber: engine.current) }
}
