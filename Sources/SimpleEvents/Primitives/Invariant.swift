/// Stops the program if an invariant of this package does not hold.
///
/// Conditions are checked in debug builds and in the interleaving explorer. In a release build the check is
/// empty.
@inlinable @inline(__always)
package func invariant(_ condition: @autoclosure () -> Bool, _ text: @autoclosure () -> StaticString) {
  #if DEBUG || SIMPLEEVENTS_CHECKED
    if !condition() { preconditionFailure("SimpleEvents invariant: \(text())") }
  #endif
}

/// The largest size of a collection at which a check of invariants visits all elements.
///
/// The elements of a longer collection are not checked, because the check would make each operation of a
/// debug build O(n).
@usableFromInline package let invariantSize: Int = 64
