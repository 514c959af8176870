internal import Synchronization

/// One registration in a hub: an observer, held weakly or owned, and whether it still counts.
///
/// A weak reference alone gives back an `AnyObject`, and getting from there to `T` takes a dynamic cast
/// at about 90 ns a call. So the entry keeps a bitwise, unretained copy of the `T` it was given beside
/// the reference, and reads it only while the reference holds the object.
///
/// Why this is sound: the hub lets in class instances only, and a `T` that holds one is either the
/// reference itself or an existential: the reference, plus metadata and witness tables that live for
/// ever. Its bits stay valid as long as the object does. `call(_:)` has a strong reference in hand
/// whenever it reads them; `deinit` frees the memory without touching what it says.
final class ObserverEntry<T> {
  private let bits: UnsafeMutablePointer<T>
  private weak var observed: AnyObject?
  private var owned: AnyObject?
  private let removed: Atomic<Bool> = Atomic(false)

  let id: ObjectIdentifier
  let observerType: Any.Type
  /// The place in the hub's list, nil once it left the list. Guarded by the hub's lock.
  var position: Int?

  #if DEBUG
    let site: RegistrationSite?
  #else
    var site: RegistrationSite? { nil }
  #endif

  /// - Parameters:
  ///   - observer: The observer; its dynamic type is a class.
  ///   - object: The same observer, as an object.
  ///   - isOwned: Whether the entry keeps it alive.
  init(_ observer: T, object: AnyObject, isOwned: Bool, site: RegistrationSite) {
    id = ObjectIdentifier(object)
    observerType = type(of: object)
    owned = isOwned ? object : nil
    observed = isOwned ? nil : object
    let bits = UnsafeMutablePointer<T>.allocate(capacity: 1)
    withUnsafePointer(to: observer) { source in
      UnsafeMutableRawPointer(bits).copyMemory(from: source, byteCount: MemoryLayout<T>.size)
    }
    self.bits = bits
    #if DEBUG
      self.site = site
    #endif
  }

  deinit {
    // NB: not `deinitialize`, which would release a reference that was never taken.
    UnsafeMutableRawPointer(bits).deallocate()
  }

  /// Whether the observer has been removed.
  ///
  /// Relaxed, since the flag carries no data: the entry reached the reader through the hub's lock. On
  /// the removing thread program order makes it certain; a cycle on another thread may call the
  /// observer once more, as if the removal had come a moment later (E5, E6).
  var isRemoved: Bool { removed.load(ordering: .relaxed) }

  func markRemoved() {
    removed.store(true, ordering: .relaxed)
  }

  /// Lets go of an owned observer while the entry itself may be kept on by a token.
  ///
  /// NB: unsynchronised, so only when no cycle is in progress and none can start.
  func disown() {
    owned = nil
  }

  /// Whether there is still somebody to call. May release the observer: not to be used under a lock.
  var isAlive: Bool { owned != nil || observed != nil }

  /// Calls the body with the observer; returns false if that is dead.
  func call<Failure: Error>(_ body: (T) throws(Failure) -> Void) throws(Failure) -> Bool {
    if owned != nil {
      try body(bits.pointee)
      return true
    }
    guard let object = observed else { return false }
    defer { withExtendedLifetime(object) {} }
    try body(bits.pointee)
    return true
  }
}
