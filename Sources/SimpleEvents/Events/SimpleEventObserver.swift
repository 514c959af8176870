/// An observer in delegate style: held weakly, added and removed by calls, each exactly once.
///
/// A main-actor class conforms on its actor: `final class View: @MainActor SimpleEventObserver`. Its isolation is not
/// checked at run time (E9), so the event has to deliver on the main queue.
public protocol SimpleEventObserver: AnyObject {
  /// Called for each notification of an event to which the observer was added.
  ///
  /// - Parameter event: The event.
  func simpleEventDidTrigger(_ event: any SimpleEventObservable)
}
