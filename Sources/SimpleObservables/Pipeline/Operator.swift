/// The observable of an operator. It connects each of its subscribers to its sources.
@_fixed_layout @usableFromInline final class Operator<Value>: Observable<Value> {
  /// Lets the sources send their events to an observer, one at a time. The observer's subscription gets an
  /// upstream, through which it can disconnect.
  @usableFromInline let connectSources: (Observer<Value>) -> Void

  @inlinable init(_ connectSources: @escaping (Observer<Value>) -> Void) {
    self.connectSources = connectSources
    super.init()
  }

  override var publicType: Any.Type { Observable<Value>.self }

  @usableFromInline override func attach(_ observer: Observer<Value>) { connectSources(observer) }
}

// SAFETY: the proof of the superclass holds. The function never changes.
extension Operator: @unchecked Sendable where Value: Sendable {}
