import SimpleEvents

/// A main-actor class that observes in delegate style.
///
/// A module without the feature `InferIsolatedConformances` declares the conformance as
/// `@MainActor SimpleEventObserver`.
@MainActor
final class Sidebar: SimpleEventObserver {
  private(set) var count: Int = 0
  var onUpdate: () -> Void = {}

  func start(_ event: any SimpleEventObservable) {
    event.addObserver(self)
  }

  func stop(_ event: any SimpleEventObservable) {
    event.removeObserver(self)
  }

  func simpleEventDidTrigger(_ event: any SimpleEventObservable) {
    count += 1
    onUpdate()
  }
}
