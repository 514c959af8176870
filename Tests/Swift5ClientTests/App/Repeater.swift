import SimpleEvents

/// An observable that forwards to another observable.
final class Repeater: SimpleEventObservable {
  private let base: SimpleEventObservable

  init(_ base: SimpleEventObservable) {
    self.base = base
  }

  func addObserver(_ token: inout SimpleEventToken?, _ block: @escaping ObserverBlock) {
    base.addObserver(&token, block)
  }

  func addObserver(_ observer: SimpleEventObserver) {
    base.addObserver(observer)
  }

  func removeObserver(_ observer: SimpleEventObserver) {
    base.removeObserver(observer)
  }
}
