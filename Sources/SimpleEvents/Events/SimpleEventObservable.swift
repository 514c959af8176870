/// What can be observed: the public face of an event, without the means to trigger it.
///
/// Keep the event private and show this:
///
/// ```swift
/// final class Model {
///   private let _didChange = LazySimpleEvent()
///   var didChange: any SimpleEventObservable { _didChange }
/// }
/// ```
///
/// An event says that something might need attention, not what it was: look at the model. Notifications
/// may come later than the change, and one may stand for many.
///
/// A type of your own can conform with the three methods that have neither a default implementation nor
/// a `site`; usually it forwards them to an event.
public protocol SimpleEventObservable: AnyObject {
  /// Called with the event that was observed.
  typealias ObserverBlock = (any SimpleEventObservable) -> Void

  /// Registers a block for as long as a token lives.
  ///
  /// NB: Disfavoured, so that calls go to the method of the same name that records the call site.
  @_disfavoredOverload
  func addObserver(_ token: inout (any SimpleEventToken)?, _ block: @escaping ObserverBlock)

  /// Registers an observer, delegate style.
  ///
  /// NB: Disfavoured, so that calls go to the method of the same name that records the call site.
  @_disfavoredOverload
  func addObserver(_ observer: any SimpleEventObserver)

  /// Removes an observer that was registered delegate style.
  ///
  /// - Parameter observer: An observer that was added and not removed since; anything else is flagged.
  func removeObserver(_ observer: any SimpleEventObserver)

  /// Registers a block, and remembers where that was done and for which actor.
  ///
  /// By default the site is dropped, and ``addObserver(_:_:)`` is called.
  ///
  /// - Parameters:
  ///   - site: Where the block was registered.
  ///   - block: Called with the event.
  /// - Returns: The token that keeps the registration.
  func addObserver(at site: RegistrationSite, _ block: @escaping ObserverBlock) -> (any SimpleEventToken)?

  /// Registers an observer, delegate style, and remembers where that was done.
  ///
  /// By default the site is dropped, and ``addObserver(_:)`` is called.
  ///
  /// - Parameters:
  ///   - observer: The observer, held weakly.
  ///   - site: Where it was registered.
  func addObserver(_ observer: any SimpleEventObserver, at site: RegistrationSite)
}

/// What keeps a block registered. Dropping the last reference removes the block.
///
/// Keep it in a property of whoever observes; a token that is not kept removes its block at once.
public protocol SimpleEventToken: AnyObject {
  /// Removes the block.
  ///
  /// Idempotent, from any thread. When it returns on the thread that delivers, the block is not called
  /// again; what it captured is released no later than the end of a notification cycle in progress (E5).
  func remove()
}

/// An observer in delegate style: held weakly, added and removed by hand, each exactly once.
///
/// A `@MainActor` class conforms on its actor: `final class View: @MainActor SimpleEventObserver`.
public protocol SimpleEventObserver: AnyObject {
  /// Called when an event that this observer was added to has triggered.
  ///
  /// - Parameter event: The event.
  func simpleEventDidTrigger(_ event: any SimpleEventObservable)
}
