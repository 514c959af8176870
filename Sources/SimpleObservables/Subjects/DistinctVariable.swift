/// A variable that sends nothing when it is set to the value that it has.
///
/// Values are compared in the order in which they were set, under no lock, even if several threads set them.
@_fixed_layout public final class DistinctVariable<Value: Equatable>: Variable<Value> {
  /// Creates a variable.
  ///
  /// - Parameter value: Its first value.
  @inlinable public init(_ value: Value) {
    super.init(value, isSame: ==)
  }
}

// SAFETY: the superclass is safe to use from any thread, and nothing is added that changes.
extension DistinctVariable: @unchecked Sendable where Value: Sendable {}
