/// A value that can be observed: it always has one, and tells it to new subscribers first.
///
/// ```swift
/// let title = Variable("Untitled")
/// let token = title.subscribe { new, old in print(old ?? "-", "->", new) }  // - -> Untitled
/// title.value = "Contracts"  // Untitled -> Contracts
/// ```
///
/// See ``Subject`` for threads, nested updates and the end. A variable that has ended keeps its value.
@_fixed_layout
public class Variable<Value>: Subject<Value> {
  /// Creates a variable.
  ///
  /// - Parameter value: Its first value.
  @inlinable
  public convenience init(_ value: Value) {
    self.init(value, label: "Variable", isSame: nil)
  }

  @inlinable
  init(_ value: Value, label: String, isSame: ((Value, Value) -> Bool)?) {
    super.init(Broadcast(initial: value, capacity: 1, label: label, isSame: isSame))
  }

  /// The value. Setting it tells all subscribers, also when it is the same.
  ///
  /// Reading gives what was set last, also while that waits to be delivered. Reading, changing and
  /// setting from several threads is three steps, which others may come between.
  ///
  /// - Complexity: O(1) to read, O(subscribers) to set.
  public final override var value: Value {
    @inlinable get {
      // There from the beginning, and never taken away.
      broadcast.newest!
    }
    @inlinable set { broadcast.send(newValue) }
  }

  /// This variable as seen through a function: a value that follows this one.
  ///
  /// - Parameter transform: Called once with each value, where it is delivered.
  public final override func map<Output>(_ transform: @escaping (Value) -> Output) -> DerivedVariable<Output>
  {
    DerivedVariable<Output>(self, current: { [self] in value }, transform)
  }
}

// SAFETY: the superclass is safe to use from any thread, and nothing is added that changes.
extension Variable: @unchecked Sendable where Value: Sendable {}
