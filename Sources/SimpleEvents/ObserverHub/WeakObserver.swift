/// An observer that is held weakly, and called without a cast.
///
/// A weak reference alone gives back an `AnyObject`, and getting from there to the observer's type takes
/// a dynamic cast at about 90 ns a call. So the entry keeps the bits of the value it was given beside
/// the reference, and makes the value anew from them and from a strong reference.
///
/// Why this is sound: the hub lets in class instances only, and a value that holds one is the reference
/// itself or an existential that begins with it, followed by metadata and witness tables that live for
/// ever. Its bits stay valid as long as the object does, and they own nothing. The hub
/// refuses what does not begin with the reference: an `any Error`, which keeps it in a box of its own.
@usableFromInline
final class WeakObserver: ObserverEntry {
  private let handle: WeakHandle<AnyObject>
  let id: ObjectIdentifier
  /// The observer's class.
  let type: Any.Type
  private let bits: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - observer: The observer; its dynamic type is a class.
  ///   - type: The type it is to be called as. NB: named, or else an existential would be opened, and its
  ///     bits be those of the object alone.
  ///   - object: The same observer, as an object.
  init<T>(_ observer: T, as type: T.Type, object: AnyObject, at site: RegistrationSite?) {
    handle = WeakHandle(object)
    id = ObjectIdentifier(object)
    self.type = Swift.type(of: object)
    bits = withUnsafeBytes(of: observer) { source in
      let bits = UnsafeMutableRawPointer.allocate(
        byteCount: source.count, alignment: MemoryLayout<T>.alignment)
      bits.copyMemory(from: source.baseAddress!, byteCount: source.count)
      return bits
    }
    super.init(isWeak: true, at: site)
  }

  deinit {
    // NB: not `deinitialize`, which would release a reference that was never taken.
    bits.deallocate()
  }

  override var observerName: String { "\(type)" }

  override var isAlive: Bool { handle.object != nil }

  /// The bits of the observer, into which a reference has been put that the caller must take out; nil if
  /// the observer is dead.
  @usableFromInline
  func retainedBits() -> UnsafeMutableRawPointer? {
    handle.retain() ? bits : nil
  }

  /// The observer, as the type it was added as; nil if it is dead.
  ///
  /// NB: `move` takes the reference that `retainedBits` has put in, so that the pair amounts to one copy.
  @inlinable
  func observer<T>(as type: T.Type) -> T? {
    retainedBits()?.assumingMemoryBound(to: T.self).move()
  }
}
