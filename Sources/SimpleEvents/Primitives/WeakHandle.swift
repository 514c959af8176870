internal import CSimpleEvents

/// A reference that does not keep its object alive and yields a strong one while the object lives.
///
/// On systems where all objects are Swift's own, it is an `unowned` reference with a safe load. A `weak`
/// reference gives its object a side table, after which each load, retain and release of the object takes a
/// slower path: 36 ns instead of 13 for an observer that is called. The price is that the memory of a
/// deallocated object, its inline and tail storage included, stays allocated until its last handle is
/// released; the references that the object held are released immediately.
///
/// Objective-C objects count references in their own way, so handles are `weak` on Apple's platforms. A
/// define selects that kind on Linux, for tests.
@safe package struct WeakHandle<Object: AnyObject> {
  #if canImport(ObjectiveC) || SIMPLEEVENTS_WEAK_HANDLES
    /// The object, nil once its `deinit` has begun.
    package private(set) weak var object: Object?

    package init(_ object: Object) { self.object = object }

    /// Takes a reference to the object, which the caller must release; returns false once its `deinit` has
    /// begun.
    func retain() -> Bool {
      guard let object else { return false }
      _ = unsafe Unmanaged.passRetained(object)
      return true
    }
  #else
    private unowned let owner: Object
    private let reference: Unmanaged<Object>

    package init(_ object: Object) {
      owner = object
      unsafe reference = .passUnretained(object)
    }

    /// The object, nil once its `deinit` has begun.
    package var object: Object? { retain() ? unsafe reference.takeRetainedValue() : nil }

    /// Takes a reference to the object, which the caller must release; returns false once its `deinit` has
    /// begun.
    func retain() -> Bool {
      // SAFETY: the `unowned` reference keeps the object's header allocated, so the runtime finds a reference
      // count. It takes a reference in one atomic step, or none once `deinit` has begun, by the same rule as
      // a weak load.
      unsafe simple_events_try_retain(reference.toOpaque()) != nil
    }
  #endif
}

// SAFETY: a handle never changes. The runtime takes a reference to the object atomically.
extension WeakHandle: @unchecked Sendable where Object: Sendable {}
