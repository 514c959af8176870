import Synchronization

/// A strong reference that threads exchange without a lock.
final class AtomicReference<Object: AnyObject & Sendable>: Sendable {
  /// The address of a retained object, or zero.
  private let bits: Atomic<UInt> = Atomic(0)

  deinit {
    _ = exchange(nil)
  }

  // SAFETY: a stored address was retained once, and only one call of `exchange` gets it back.
  func exchange(_ new: Object?) -> Object? {
    let new = new.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
    let old = UnsafeRawPointer(bitPattern: bits.exchange(new, ordering: .acquiringAndReleasing))
    return old.map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
  }
}
