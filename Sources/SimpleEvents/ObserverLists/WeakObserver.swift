/// An observer that is held weakly and called without a cast.
///
/// A weak reference yields an `AnyObject`, and a dynamic cast from there to the observer's type takes about
/// 90 ns for each call. So the entry keeps the bits of the value that was added beside the reference, and
/// makes the value again from the bits and a strong reference.
///
/// SAFETY: a hub accepts class instances only. A value that holds one is the reference itself, or an
/// existential that begins with it, followed by metadata and witness tables that are never deallocated. The
/// bits are valid as long as the object is, and they own nothing. The hub refuses a value that does not begin
/// with the reference: an `any Error` keeps it in a box.
@safe @usableFromInline final class WeakObserver: ObserverEntry {
  private let handle: WeakHandle<AnyObject>
  let id: ObjectIdentifier
  /// The observer's class.
  let type: Any.Type
  private let bits: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - observer: The observer; its dynamic type is a class.
  ///   - type: The type as which it is called. Passed explicitly, because inference would open the
  ///     existential, and only the pointer of the object would be copied.
  ///   - object: The same observer, as an object.
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
    // NB: not `deinitialize`, which would release a reference that was never taken.
    unsafe bits.deallocate()
  }

  override var typeName: String { "\(type)" }

  override var observerName: String { "an observer of type \(typeName)" }

  override var isAlive: Bool { handle.object != nil }

  /// Retains the observer and returns its bits; nil if it is deallocated. The caller must release the
  /// observer.
  @usableFromInline func retainedBits() -> UnsafeMutableRawPointer? { handle.retain() ? unsafe bits : nil }

  /// The observer, as the type as which it was added; nil if it is deallocated.
  @inlinable func observer<T>(as type: T.Type) -> T? {
    // SAFETY: `move` takes the reference that `retainedBits` has added, so that the pair amounts to one copy.
    unsafe retainedBits()?.assumingMemoryBound(to: T.self).move()
  }
}

/// A stand-in for an observer that was found deallocated while another thread might be about to remove it.
///
/// It keeps the type and the call site for a later diagnostic, after the memory of the entry was released.
final class DeallocatedObserver: ObserverEntry {
  private let type: Any.Type

  init(_ observer: WeakObserver) {
    type = observer.type
    super.init(.weak, observer.origin)
  }

  override var typeName: String { "\(type)" }

  override var isAlive: Bool { false }
}
