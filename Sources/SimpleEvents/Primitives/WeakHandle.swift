internal import CSimpleEvents

/// A weak reference that gives a strong reference while its object lives.
///
/// On systems without Objective-C, a handle is an `unowned` reference that is loaded safely. A `weak`
/// reference would give its object a side table. Each load, retain and release of the object would then take
/// a slower path: a call of an observer takes 36 ns with a side table, and 13 ns without one. In exchange,
/// the memory of a deallocated object, its inline and tail storage included, stays allocated until the last
/// handle of the object is released. The references that the object held are released immediately.
///
/// On Apple's platforms a handle is a `weak` reference, because Objective-C objects count references in their
/// own way. Tests select `weak` references on Linux with a compilation condition.
@safe package struct WeakHandle<Object: AnyObject> {
  #if canImport(ObjectiveC) || SIMPLEEVENTS_WEAK_HANDLES
    /// The object, nil once its `deinit` has begun.
    package private(set) weak var object: Object?

    package init(_ object: Object) { self.object = object }

    /// Retains the object and returns true; returns false once its `deinit` has begun. The caller must
    /// release a retained object.
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

    /// Retains the object and returns true; returns false once its `deinit` has begun. The caller must
    /// release a retained object.
    func retain() -> Bool {
      // SAFETY: the `unowned` reference keeps the object's header allocated, so the runtime finds a reference
      // count. The runtime retains the object in one atomic step, or does not retain it if `deinit` has
      // begun, as in a weak load.
      unsafe simple_events_try_retain(reference.toOpaque()) != nil
    }
  #endif
}

// SAFETY: a handle never changes. The runtime retains the object atomically.
extension WeakHandle: @unchecked Sendable where Object: Sendable {}
