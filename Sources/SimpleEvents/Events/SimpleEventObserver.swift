/// An observer in delegate style. An event holds it weakly; it is added and removed exactly once.
///
/// A main-actor class conforms on its actor, `final class View: @MainActor SimpleEventObserver`, and removes
/// itself in an `isolated deinit`. The isolation of a conformance is not checked at run time (E9), so the
/// event has to deliver on the main queue. The article <doc:ThreadsAndIsolation> shows such a class.
public protocol SimpleEventObserver: AnyObject {
  /// Called for each notification of an event to which the observer was added.
  ///
  /// - Parameter event: The event that notifies.
  func simpleEventDidTrigger(_ event: any SimpleEventObservable)
}
