internal import CSwiftRuntime

/// A reference that does not keep its object alive, and yields a strong one for as long as it lives.
///
/// Where all objects are Swift's own, this is an `unowned` reference that can be asked instead of trapping.
/// A `weak` one gives its object a side table: from then on each load, retain and release of it takes the
/// slow path, three times as long as here. The price: the memory of a dead object, though nothing that it
/// held, stays until the last handle goes.
///
/// Why this is sound: an `unowned` reference keeps the object's header, so `swift_tryRetain` always finds a
/// reference count to look at. It takes a reference in one atomic step, or none once the object's `deinit`
/// has begun, by the same rule as a weak load. Should it ever go, linking fails, and no program.
///
/// An Objective-C object counts in its own way, and there handles are `weak`. The define has CI test that
/// kind on Linux as well.
struct WeakHandle {
  #if canImport(ObjectiveC) || SIMPLEEVENTS_WEAK_HANDLES
    private weak var object: AnyObject?

    init(_ object: AnyObject) {
      self.object = object
    }

    /// Takes a reference to the object, which the caller must release; false if there is none to be had.
    func retain() -> Bool {
      guard let object else { return false }
      _ = Unmanaged.passRetained(object)
      return true
    }

    /// Whether the object's `deinit` has not begun. May release the object: not to be used under a lock.
    var isAlive: Bool { object != nil }
  #else
    private unowned let object: AnyObject
    private let reference: Unmanaged<AnyObject>

    init(_ object: AnyObject) {
      self.object = object
      reference = .passUnretained(object)
    }

    /// Takes a reference to the object, which the caller must release; false if there is none to be had.
    func retain() -> Bool {
      simple_events_try_retain(reference.toOpaque()) != nil
    }

    /// Whether the object's `deinit` has not begun. May release the object: not to be used under a lock.
    var isAlive: Bool {
      guard retain() else { return false }
      reference.release()
      return true
    }
  #endif
}
