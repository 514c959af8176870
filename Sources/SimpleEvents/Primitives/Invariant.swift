/// Stops the program if a condition does not hold that the code of this package ensures.
///
/// Conditions are checked in debug builds and in the interleaving explorer. In a release build the check is
/// empty.
@inlinable @inline(__always)
package func invariant(_ condition: @autoclosure () -> Bool, _ text: @autoclosure () -> StaticString) {
  #if DEBUG || SIMPLEEVENTS_CHECKED
    if !condition() { preconditionFailure("SimpleEvents invariant: \(text())") }
  #endif
}

/// The number of elements up to which a check may look at each of them.
///
/// A longer collection is not looked at, so that a debug build is not slower by an order of growth.
@usableFromInline package let invariantSize: Int = 64
