import SimpleEvents

/// A type that conforms to `SimpleEventObservable` with the three classic methods alone.
final class ClassicObservable: SimpleEventObservable {
  private let event: any SimpleEventObservable
  /// A property with the name of a requirement and a different type.
  let label: Int = 1

  init(_ event: any SimpleEventObservable) {
    self.event = event
  }

  func addObserver(_ token: inout (any SimpleEventToken)?, _ block: @escaping ObserverBlock) {
    event.addObserver(&token, block)
  }

  func addObserver(_ observer: any SimpleEventObserver) {
    event.addObserver(observer)
  }

  func removeObserver(_ observer: any SimpleEventObserver) {
    event.removeObserver(observer)
  }
}
