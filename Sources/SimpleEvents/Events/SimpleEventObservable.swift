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
/// A conforming type usually forwards to an event. It implements three of the seven requirements. To keep
/// call sites and isolation in diagnostics, it also implements the three that take a ``CallSite``:
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
