/// A variable that is silent when it is set to the value that it has.
///
/// Values are compared in the order they were set, under no lock, also when several threads set them.
public final class Unique<Value: Equatable>: Variable<Value> {
  /// Creates a variable.
  ///
  /// - Parameter value: Its first value.
  @inlinable
  public init(_ value: Value) {
    super.init(value, label: "Unique", isSame: ==)
  }
}

// NB: not checked by the compiler, like its superclass; it adds nothing that changes.
extension Unique: @unchecked Sendable where Value: Sendable {}
