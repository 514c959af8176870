/// An observer that is held weakly and called without a cast.
///
/// A weak reference gives an `AnyObject`. A dynamic cast from that object to the observer's type would take
/// about 90 ns for each call. The entry therefore stores the bits of the added value beside the reference. A
/// call recreates the value from the bits and a strong reference.
///
/// SAFETY: a hub accepts class instances only. The added value is the reference to the instance, or an
/// existential that begins with the reference. The rest of an existential is metadata and witness tables,
/// which are never deallocated. The bits are valid as long as the object is allocated, and they own nothing.
/// The hub refuses a value that does not begin with the reference, such as an `any Error`, which keeps the
/// reference in a box.
@safe @usableFromInline final class WeakObserver: ObserverEntry {
  private let handle: WeakHandle<AnyObject>
  let id: ObjectIdentifier
  /// The observer's class.
  let type: Any.Type
  private let bits: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - observer: The observer; its dynamic type is a class.
  ///   - type: The type as which the observer is called. It is passed explicitly, because inference would
  ///     open the existential and copy only the pointer of the object.
  ///   - object: The same observer, as an object.
  ///   - site: The place where the observer was added; nil if it is not known.
  init<T>(_ observer: T, as type: T.Type, object: AnyObject, at site: CallSite?) {
    handle = WeakHandle(object)
    id = ObjectIdentifier(object)
    self.type = Swift.type(of: object)
    unsafe bits = unsafe withUnsafeBytes(of: observer) { source in
      let bits = UnsafeMutableRawPointer.allocate(
        byteCount: source.count, alignment: MemoryLayout<T>.alignment)
      unsafe bits.copyMemory(from: source.baseAddress!, byteCount: source.count)
      return unsafe bits
    }
    super.init(.weak, BlockIsolation(nil, at: site))
  }

  deinit {
    // NB: the bits are not deinitialised, because that would release a reference that was never taken.
    unsafe bits.deallocate()
  }

  override var typeName: String { "\(type)" }

  override var observerName: String { "an observer of type \(typeName)" }

  override var isAlive: Bool { handle.object != nil }

  /// Retains the observer and returns its bits; nil if it is deallocated. The caller must release the
  /// observer.
  @usableFromInline func retainedBits() -> UnsafeMutableRawPointer? { handle.retain() ? unsafe bits : nil }

  /// Returns the observer as the type with which it was added; nil if the observer is deallocated.
  @inlinable func observer<T>(as type: T.Type) -> T? {
    // SAFETY: `move` takes over the reference that `retainedBits` has added, so the two calls make one copy
    // of the value.
    unsafe retainedBits()?.assumingMemoryBound(to: T.self).move()
  }
}

/// Replaces an observer that was found deallocated and that another thread may be about to remove.
///
/// It keeps the type and the call site for a later diagnostic, so that the entry of the observer can be
/// released.
final class DeallocatedObserver: ObserverEntry {
  private let type: Any.Type

  init(_ observer: WeakObserver) {
    type = observer.type
    super.init(.weak, observer.origin)
  }

  override var typeName: String { "\(type)" }

  override var isAlive: Bool { false }
}
