// Public, because an enum that cycles use conforms to a protocol of it.
public import Synchronization

/// One registration in a list of observers: its position, and whether it has been removed.
///
/// Subclasses know the observer: `WeakObserver` for the observers of a hub, `BlockObserver` for the blocks of
/// an event.
@usableFromInline class ObserverEntry: PositionedEntry {
  /// How a cycle calls the observer. Asking is faster than a cast, and one load answers for removals as well.
  @usableFromInline enum Kind: UInt8, AtomicRepresentable {
    case block
    /// An observer that is held weakly.
    case weak
    /// Removed: not called again.
    case removed
  }

  private let atomicKind: Atomic<Kind>
  /// The position in the list.
  ///
  /// SAFETY: exclusivity is not checked at run time, because the list's lock ensures it.
  @safe @exclusivity(unchecked) @usableFromInline final var position: Int32 = -1

  final let origin: BlockIsolation

  init(_ kind: Kind, _ origin: BlockIsolation) {
    atomicKind = Atomic(kind)
    self.origin = origin
  }

  /// Where the observer was added, if that was recorded.
  final var site: CallSite? { origin.site }

  /// The type of the observer, or "block".
  var typeName: String { "block" }

  /// A noun phrase, as in "an observer of type View".
  var observerName: String { "a block" }

  /// Whether the observer can be called. May release the observer, so it is not used under a lock.
  var isAlive: Bool { true }

  /// The kind, which says whether the observer has been removed.
  ///
  /// Relaxed, because it carries no data: the entry reached the reader through the list's lock. On the
  /// removing thread program order makes it certain. A cycle on another thread may call the observer once
  /// more, as if the removal had come a moment later (E5, E6).
  final var kind: Kind { atomicKind.load(ordering: .relaxed) }

  final var isRemoved: Bool { kind == .removed }

  final func markRemoved() { atomicKind.store(.removed, ordering: .relaxed) }
}
