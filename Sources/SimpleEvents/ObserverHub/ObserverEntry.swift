internal import Synchronization

/// One registration in a list of observers: whether it still counts, and where it stands.
///
/// Who is called, and whether that is held, is the business of subclasses: `WeakObserver` for the
/// observers of a hub, `BlockObserver` for the blocks of an event.
@usableFromInline
class ObserverEntry {
  private let removed: Atomic<Bool> = Atomic(false)
  /// Whether this is a `WeakObserver`. Cheaper to ask than a cast.
  let isWeak: Bool
  /// The place in the list, negative once it left the list. Guarded by the list's lock.
  var position: Int32 = -1

  #if DEBUG
    /// Where the observer was added, where that is known; without the actor, which the entry must not keep.
    let site: RegistrationSite?
    /// Whether a block belongs to the main actor, which is always there.
    private let isOnMainActor: Bool
    private weak var otherActor: (any Actor)?
  #else
    var site: RegistrationSite? { nil }
  #endif

  init(isWeak: Bool, at site: RegistrationSite?) {
    self.isWeak = isWeak
    #if DEBUG
      self.site = site.map { RegistrationSite(isolation: nil, fileID: $0.fileID, line: $0.line) }
      isOnMainActor = site?.isolation === MainActor.shared
      otherActor = isOnMainActor ? nil : site?.isolation
    #endif
  }

  #if DEBUG
    /// The actor that a block belongs to. Nil also once that is gone: then there is no place to be called in.
    final var isolation: (any Actor)? { isOnMainActor ? MainActor.shared : otherActor }
  #endif

  /// What diagnostics call the observer.
  var observerName: String { "block" }

  /// Whether there is still somebody to call. May release the observer: not to be used under a lock.
  var isAlive: Bool { true }

  /// Whether the observer has been removed.
  ///
  /// Relaxed, since the flag carries no data: the entry reached the reader through the list's lock. On
  /// the removing thread program order makes it certain; a cycle on another thread may call the
  /// observer once more, as if the removal had come a moment later (E5, E6).
  final var isRemoved: Bool { removed.load(ordering: .relaxed) }

  final func markRemoved() {
    removed.store(true, ordering: .relaxed)
  }
}
