internal import ExplorerEngine

/// Tells the explorer's threads apart, in place of the library's type of this name.
package struct ThreadIdentity: Hashable, Sendable {
  private let fiber: Int

  /// The calling thread.
  package static var current: ThreadIdentity { ThreadIdentity(fiber: engine.current) }
}
