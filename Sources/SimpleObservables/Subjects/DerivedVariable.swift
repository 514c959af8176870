internal import SimpleEvents

/// The result of a function of a variable's value, as a variable that cannot be set.
///
/// An instance is created by ``Variable/map(fileID:line:_:)``, and keeps the source variable alive. The
/// function is called once for each value of the source, on the thread that delivers it, whatever the number
/// of subscribers. There is one exception: a derived variable can be created during a delivery of its source,
/// or of a variable from which its source is derived. Until that delivery reaches the derived variable, each
/// read of `value` calls the function.
public final class DerivedVariable<Value>: Observable<Value> {
  private let derivation: Derivation<Value>
  private let derive: () -> Value

  init<Source>(
    _ source: Observable<Source>, current: @escaping () -> Source, _ transform: @escaping (Source) -> Value
  ) {
    derivation = Derivation(source, transform)
    derive = { transform(current()) }
    super.init()
  }

  /// The result of the function for the newest value that has reached this variable.
  ///
  /// If this variable was created during a delivery of its source, or of a variable from which its source is
  /// derived, each read calls the function until that delivery has reached this variable.
  public override var value: Value { derivation.broadcast.newest ?? derive() }

  override func attach(_ observer: Observer<Value>) { derivation.add(observer) }

  /// Returns the results of a function of this variable's value, as a variable that cannot be set.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - transform: Returns the result for a value. Called once with each value, on the thread that delivers
  ///     it. If the closure is isolated to an actor, a call off that actor is flagged (E9).
  public override func map<Output>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @isolated(any) (_ value: Value) -> Output
  ) -> DerivedVariable<Output> {
    let transform = isolationChecked(transform, of: publicType, at: CallSite(fileID: fileID, line: line))
    return DerivedVariable<Output>(self, current: { [self] in value }, transform)
  }
}

// SAFETY: the proof of the superclass holds. The derivation is immutable. The delivering thread calls the
// function. Until the first value has arrived, readers call the function as well.
extension DerivedVariable: @unchecked Sendable where Value: Sendable {}

/// The connection of a derived variable to its source. It lasts as long as the variable or one of its
/// subscribers.
private final class Derivation<Value>: Upstream, @unchecked Sendable {
  // SAFETY: a broadcast keeps its values behind a lock, and a subscription is `Sendable`.

  let broadcast: Broadcast<Value> = Broadcast(replaysNewest: true)
  private let upstream: Subscription = Subscription()

  init<Source>(_ source: Observable<Source>, _ transform: @escaping (Source) -> Value) {
    super.init()
    source.connect(
      Observer(
        upstream, onNext: { [broadcast] in broadcast.send(transform($0)) },
        onEnd: { [broadcast] in broadcast.end($0) }))
  }

  deinit { upstream.remove() }

  func add(_ observer: Observer<Value>) {
    // The subscription keeps this object alive while the subscriber is subscribed.
    observer.subscription.add(self)
    broadcast.add(observer)
  }
}
