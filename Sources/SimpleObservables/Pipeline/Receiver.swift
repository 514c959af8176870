/// Gives the broadcast typed access to the closure of a subscription.
///
/// The type is a view of a subscription and has no instances. Its property is constant, so that a call needs
/// no retain and release of the closure's captures.
///
/// SAFETY: the property is at the place of the first property of a subscription. That property is an optional
/// function. A broadcast sets the property to a function that takes its type of values, and then adds the
/// subscription to its list. It clears the property after it has removed the subscription. The property is
/// therefore not nil while the broadcast calls the function. A function and an optional function that is not
/// nil have the same representation.
@_fixed_layout @usableFromInline final class Receiver<Value> {
  @usableFromInline let onNext: (Value) -> Void

  @available(*, unavailable) private init() { fatalError() }
}

/// A function of one argument, without the type of the argument. It is stored, and never called.
@frozen @usableFromInline struct ErasedFunction {
  private let function: () -> Void

  private struct Function<Argument> { let call: (Argument) -> Void }

  init<Argument>(_ call: @escaping (Argument) -> Void) {
    // SAFETY: the representation of a function does not depend on the type of its argument.
    self = unsafe unsafeBitCast(Function(call: call), to: Self.self)
  }
}
