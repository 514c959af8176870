/// A read-only view of an event: it can be observed but not triggered.
///
/// Keep the event private, and expose this protocol:
///
/// ```swift
/// final class Model {
///   private let _didChange = LazySimpleEvent()
///   var didChange: any SimpleEventObservable { _didChange }
/// }
/// ```
///
/// A notification carries no values: the observer reads the model. A notification may come later than the
/// change, and may stand for many changes.
///
/// `any SimpleEventObservable` is not `Sendable`, because a ``SimpleEvent`` belongs to one thread. A model
/// that other threads or actors observe exposes a ``LazySimpleEvent`` as `any SimpleEventObservable &
/// Sendable`:
///
/// ```swift
/// @MainActor
/// final class Document {
///   private let _didChange = LazySimpleEvent(on: .main)
///   nonisolated var didChange: any SimpleEventObservable & Sendable { _didChange }
/// }
/// ```
///
/// A conforming type usually forwards to an event. It implements three of the seven requirements. To give the
/// event the call sites and the isolation of blocks, it also implements the three that take a ``CallSite``:
///
/// | topic | without a default implementation | with one |
/// |---|---|---|
/// | blocks | ``addObserver(_:_:)`` | ``addObserver(at:_:)`` |
/// | delegate style, addition | ``addObserver(_:)`` | ``addObserver(_:at:)`` |
/// | delegate style, removal | ``removeObserver(_:)`` | ``removeObserver(_:at:)`` |
/// | diagnostics | | ``label`` |
public protocol SimpleEventObservable: AnyObject {
  /// A block that is called with the event that was observed.
  ///
  /// If an observable forwards its observers to an event, the block receives that event.
  typealias ObserverBlock = (any SimpleEventObservable) -> Void

  /// The name of the event in diagnostics; nil by default.
  var label: String? { get }

  /// Registers a block for as long as a token lives.
  // NB: these three methods are disfavoured, so that a plain call resolves to the overload that records the
  // call site.
  @_disfavoredOverload
  func addObserver(_ token: inout (any SimpleEventToken)?, _ block: @escaping ObserverBlock)

  /// Registers an observer in delegate style.
  @_disfavoredOverload
  func addObserver(_ observer: any SimpleEventObserver)

  /// Removes an observer that was registered in delegate style.
  @_disfavoredOverload
  func removeObserver(_ observer: any SimpleEventObserver)

  /// Registers a block, and records the call site and the isolation of the block.
  ///
  /// The default implementation calls ``addObserver(_:_:)``.
  ///
  /// - Parameters:
  ///   - site: The place where the block is registered.
  ///   - block: The block to call with the event.
  /// - Returns: The token that keeps the block registered.
  func addObserver(
    at site: CallSite, _ block: @escaping @isolated(any) (any SimpleEventObservable) -> Void
  ) -> (any SimpleEventToken)?

  /// Registers an observer in delegate style, and records the call site.
  ///
  /// The default implementation calls ``addObserver(_:)``.
  ///
  /// - Parameters:
  ///   - observer: The observer, held weakly.
  ///   - site: The place where the observer is registered.
  func addObserver(_ observer: any SimpleEventObserver, at site: CallSite)

  /// Removes an observer that was registered in delegate style. A diagnostic of the removal names the call
  /// site.
  ///
  /// The default implementation calls ``removeObserver(_:)``.
  ///
  /// - Parameters:
  ///   - observer: An observer that was added and has not been removed since.
  ///   - site: The place where the observer is removed.
  func removeObserver(_ observer: any SimpleEventObserver, at site: CallSite)
}

/// An observer in delegate style. An event holds it weakly. Each addition must be followed by one removal.
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

// `@preconcurrency` lets token types of Swift 5 clients conform without a warning. Other threads only remove
// and release such tokens, and the contract of a token allows both (E5).

/// An object that keeps a block registered. Its deallocation removes the block.
///
/// Keep it in a property of the observing object. A token that is not kept removes its block immediately.
@preconcurrency
public protocol SimpleEventToken: AnyObject, Sendable {
  /// Removes the block.
  ///
  /// The method is idempotent, and may be called from any thread. Once it has returned on the delivering
  /// thread, the block is not called again, and its captures are released no later than the end of a
  /// notification cycle in progress (E5).
  func remove()
}
