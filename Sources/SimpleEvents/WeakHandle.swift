internal import CSimpleEvents

/// A reference that does not keep its object alive, and yields a strong one for as long as it lives.
///
/// Where all objects are Swift's own, this is an `unowned` reference that can be asked instead of trapping.
/// A `weak` one gives its object a side table: from then on each load, retain and release of it takes the
/// slow path, three times as long as here. The price: what a dead object referred to goes at once, but its
/// own memory, inline and tail storage included, stays until the last handle goes.
///
/// Why this is sound: an `unowned` reference keeps the object's header, so `swift_tryRetain` always finds a
/// reference count to look at. It takes a reference in one atomic step, or none once the object's `deinit`
/// has begun, by the same rule as a weak load. A toolchain without it fails to link the tests.
///
/// An Objective-C object counts in its own way, and there handles are `weak`. The define has CI test that
/// kind on Linux as well.
struct WeakHandle<Object: AnyObject> {
  #if canImport(ObjectiveC) || SIMPLEEVENTS_WEAK_HANDLES
    /// The object, nil once its `deinit` has begun.
    private(set) weak var object: Object?

    init(_ object: Object) {
      self.object = object
    }

    /// Takes a reference to the object, which the caller must release; false if there is none to be had.
    func retain() -> Bool {
      guard let object else { return false }
      _ = Unmanaged.passRetained(object)
      return true
    }
  #else
    private unowned let owner: Object
    private let reference: Unmanaged<Object>

    init(_ object: Object) {
      owner = object
      reference = .passUnretained(object)
    }

    /// The object, nil once its `deinit` has begun.
    var object: Object? {
      retain() ? reference.takeRetainedValue() : nil
    }

    /// Takes a reference to the object, which the caller must release; false if there is none to be had.
    func retain() -> Bool {
      simple_events_try_retain(reference.toOpaque()) != nil
    }
  #endif
}

#if canImport(ObjectiveC) || SIMPLEEVENTS_WEAK_HANDLES
  // NB: not checked by the compiler, to which a `weak` variable is one that changes. It is set once, and
  // loaded atomically by the runtime.
  extension WeakHandle: @unchecked Sendable where Object: Sendable {}
#else
  extension WeakHandle: Sendable where Object: Sendable {}
#endif
