// This import is public because `ObserverEntry.Kind`, which inlinable code uses, conforms to a protocol of
// the module.
public import Synchronization

/// One registration in a list of observers: its position, and whether it has been removed.
///
/// A subclass stores the observer: `WeakObserver` for the observers of a hub, `BlockObserver` for the blocks
/// of an event.
@usableFromInline class ObserverEntry: PositionedEntry {
  /// The kind of an observer. The kind decides how a cycle calls the observer.
  ///
  /// One load of the kind is faster than a cast, and also says whether the observer was removed.
  @usableFromInline enum Kind: UInt8, AtomicRepresentable {
    case block
    /// An observer that is held weakly.
    case weak
    /// The observer was removed, and is not called again.
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

  /// The place where the observer was added; nil if it was not recorded.
  final var site: CallSite? { origin.site }

  /// The type of the observer, or "block".
  var typeName: String { "block" }

  /// A noun phrase for diagnostics, such as "an observer of type View".
  var observerName: String { "a block" }

  /// Whether the observer can be called. Reading the property may release the observer. Code that holds a
  /// lock reads the property only where such a release is impossible.
  var isAlive: Bool { true }

  /// The kind, which also says whether the observer has been removed.
  ///
  /// The load is relaxed, because the kind publishes no other memory: a reader gets the entry through the
  /// list's lock. The removing thread always sees its own removal. A cycle on another thread may call the
  /// observer once more, as if the removal had come a moment later (E5, E6).
  final var kind: Kind { atomicKind.load(ordering: .relaxed) }

  final var isRemoved: Bool { kind == .removed }

  final func markRemoved() { atomicKind.store(.removed, ordering: .relaxed) }
}
