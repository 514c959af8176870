internal import SimpleEvents

/// A variable as seen through a function: it always has a value, which follows that of the variable.
///
/// Made by ``Variable/map(_:)``. The function is called once for each value of the variable, where that is delivered,
/// however many subscribers there are. Only a derived variable that is made during a delivery calls it for readers, until
/// that delivery has reached it. It keeps the variable alive.
public final class DerivedVariable<Value>: Observable<Value> {
  private let derivation: Derivation<Value>
  private let derive: () -> Value

  init<Source>(
    _ source: Observable<Source>, current: @escaping () -> Source, _ transform: @escaping (Source) -> Value
  ) {
    let derivation = Derivation(source, transform)
    self.derivation = derivation
    derive = { transform(current()) }
    super.init(current: { derivation.broadcast.newest }, attach: { derivation.add($0) })
  }

  /// The function's result for the newest value that has reached this variable.
  ///
  /// A derived variable that is made during a delivery of its variable has none until that delivery has reached it. Until
  /// then the function is called for each reading.
  public override var value: Value { derivation.broadcast.newest ?? derive() }

  /// This variable as seen through a function.
  ///
  /// - Parameter transform: Called once with each value, where it is delivered.
  public override func map<Output>(_ transform: @escaping (Value) -> Output) -> DerivedVariable<Output> {
    DerivedVariable<Output>(self, current: { [self] in value }, transform)
  }
}

// SAFETY: as its superclass. The derivation is immutable. The function is called where values are delivered, and for readers
// only before the first value has arrived.
extension DerivedVariable: @unchecked Sendable where Value: Sendable {}

/// The connection of a derived variable to its source, which lasts as long as the variable or one of its subscribers.
private final class Derivation<Value>: SimpleEventToken {
  let broadcast: Broadcast<Value> = Broadcast(capacity: 1, label: "DerivedVariable")
  private let upstream: Subscription = Subscription()

  init<Source>(_ source: Observable<Source>, _ transform: @escaping (Source) -> Value) {
    source.connect(
      Observer(
        upstream, onNext: { [broadcast] in broadcast.send(transform($0)) },
        onEnd: { [broadcast] in broadcast.end($0) }))
  }

  deinit { upstream.remove() }

  func add(_ observer: Observer<Value>) {
    observer.subscription.add(self)
    broadcast.add(observer)
  }

  /// Nothing: a subscriber that is removed releases its reference.
  func remove() {}
}

// SAFETY: a broadcast keeps its values behind a lock, and a subscription is `Sendable`.
extension Derivation: @unchecked Sendable {}
