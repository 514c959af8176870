/// What a variable looks like through a function: it always has a value, which nobody sets.
///
/// Made by ``Variable/map(_:)``. It has no state of its own: it keeps the variable, asks it when it is read,
/// and subscribes to it for each of its own subscribers.
public final class DerivedVariable<Value>: Observable<Value> {
  private let derive: () -> Value

  init(_ observable: Observable<Value>, _ derive: @escaping () -> Value) {
    self.derive = derive
    super.init(current: derive, attach: { observable.connect($0) })
  }

  /// The value of the variable, put through the function now.
  public override var value: Value { derive() }

  /// What this variable looks like through a function.
  ///
  /// - Parameter transform: Called with each value, once for each subscriber, and whenever the value is read.
  public override func map<Output>(_ transform: @escaping (Value) -> Output) -> DerivedVariable<Output> {
    DerivedVariable<Output>(super.map(transform)) { [self] in transform(value) }
  }
}

// SAFETY: the superclass is safe to use from any thread, and nothing is added that changes.
extension DerivedVariable: @unchecked Sendable where Value: Sendable {}
