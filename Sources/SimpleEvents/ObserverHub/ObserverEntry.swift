internal import Synchronization

/// One registration in a list of observers: its position, and whether it has been removed.
///
/// Subclasses know the observer: `WeakObserver` for the observers of a hub, `BlockObserver` for the blocks of an event.
@usableFromInline class ObserverEntry: DiagnosedObserver {
  private let removed: Atomic<Bool> = Atomic(false)
  /// Whether this is an observer that is held weakly. Faster to ask than a cast.
  let isWeak: Bool
  /// The index in the list, negative after removal. The list's lock guards it.
  var position: Int32 = -1

  final let origin: BlockOrigin

  init(isWeak: Bool, _ origin: BlockOrigin) {
    self.isWeak = isWeak
    self.origin = origin
  }

  /// Where the observer was added, if that was recorded.
  final var site: CallSite? { origin.site }

  /// The type of the observer, or "block".
  var typeName: String { "block" }

  final var observerName: String { isWeak ? "an observer of type \(typeName)" : "a block" }

  /// Whether the observer can be called. May release the observer, so it is not used under a lock.
  var isAlive: Bool { true }

  /// Whether the observer has been removed.
  ///
  /// Relaxed, because the flag carries no data: the entry reached the reader through the list's lock. On the removing
  /// thread program order makes it certain. A cycle on another thread may call the observer once more, as if the
  /// removal had come a moment later (E5, E6).
  final var isRemoved: Bool { removed.load(ordering: .relaxed) }

  final func markRemoved() { removed.store(true, ordering: .relaxed) }
}
