/// The observable of an operator: it connects each of its subscribers to its sources.
@_fixed_layout @usableFromInline final class Operator<Value>: Observable<Value> {
  /// Makes the sources send their events to an observer, one at a time, and adds the means of disconnecting
  /// to the observer's subscription.
  @usableFromInline let connectSources: (Observer<Value>) -> Void

  @inlinable init(_ connectSources: @escaping (Observer<Value>) -> Void) {
    self.connectSources = connectSources
    super.init()
  }

  override var publicType: Any.Type { Observable<Value>.self }

  @usableFromInline override func attach(_ observer: Observer<Value>) { connectSources(observer) }
}

// SAFETY: as its superclass. The function never changes.
extension Operator: @unchecked Sendable where Value: Sendable {}
