/// A variable that sends nothing when it is set to a value that equals the last one.
///
/// A read returns the value that was set, even if it differs from the sent value in a part that `==` does not
/// compare. A new subscriber, or a derived variable, receives the latest value that was sent. Values are
/// compared under no lock, in the order in which they were set, even if several threads set them.
@_fixed_layout public final class DistinctVariable<Value: Equatable>: Variable<Value> {
  /// Creates a variable.
  ///
  /// - Parameter value: The first value of the variable.
  @inlinable public init(_ value: Value) {
    super.init(value, isSame: ==)
  }
}

// SAFETY: the superclass is safe to use from any thread, and this class adds no mutable state.
extension DistinctVariable: @unchecked Sendable where Value: Sendable {}
