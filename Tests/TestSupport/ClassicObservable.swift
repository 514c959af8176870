package import SimpleEvents

/// A type that implements only the three classic methods of `SimpleEventObservable`.
package final class ClassicObservable: SimpleEventObservable {
  private let event: any SimpleEventObservable
  /// A property with the name of a requirement, but another type.
  package let label: Int = 1

  package init(_ event: any SimpleEventObservable) {
    self.event = event
  }

  package func addObserver(_ token: inout (any SimpleEventToken)?, _ block: @escaping ObserverBlock) {
    event.addObserver(&token, block)
  }

  package func addObserver(_ observer: any SimpleEventObserver) {
    event.addObserver(observer)
  }

  package func removeObserver(_ observer: any SimpleEventObserver) {
    event.removeObserver(observer)
  }
}
