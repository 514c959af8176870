/// A variable that sends nothing when it is set to a value that equals the last one.
///
/// Reading returns the value that was set, also if it differs in a part that `==` does not compare. Values
/// are compared in the order in which they were set, under no lock, even if several threads set them.
@_fixed_layout public final class DistinctVariable<Value: Equatable>: Variable<Value> {
  /// Creates a variable.
  ///
  /// - Parameter value: Its first value.
  @inlinable public init(_ value: Value) {
    super.init(value, isSame: ==)
  }
}

// SAFETY: the superclass is safe to use from any thread, and this class adds no mutable state.
extension DistinctVariable: @unchecked Sendable where Value: Sendable {}
