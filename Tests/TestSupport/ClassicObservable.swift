package import SimpleEvents

/// A type that conforms to `SimpleEventObservable` with the three classic methods alone.
package final class ClassicObservable: SimpleEventObservable {
  private let event: any SimpleEventObservable
  /// A property with the name of a requirement and a different type.
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
