public import SimpleEvents

/// A sequence of values over time.
///
/// A model keeps its subject private and exposes an observable:
///
/// ```swift
/// final class ViewModel {
///   private let titleSubject = Variable("Untitled")
///   var title: Observable<String> { titleSubject }
/// }
///
/// let token = viewModel.title.subscribe { title in print(title) }
/// ```
///
/// A subscription lasts as long as its token, so keep the token in a property or a ``DisposeBag``.
///
/// - **Grammar** A sequence has any number of values, and then at most one error or one end.
/// - **Order** The subscribers of a subject are called in the order in which they subscribed. A nested
///   update, sent by a subscriber during a delivery, is delivered after the current value has reached all
///   subscribers. All subscribers therefore receive the same sequence (V1).
/// - **Removal** A subscriber whose token is removed on the delivering thread is not called again. A
///   subscriber that is added during a delivery is not called in that delivery.
/// - **Threads** An observable can be used from any thread if its values are `Sendable`. A subscriber is
///   called on the thread that sends the value, or on the scheduler that was passed to `subscribe`. It is
///   called under no lock, and by one thread at a time (V2). If two threads send through the same subject at
///   the same time, one of them or a global queue delivers both values (V3).
/// - **Lifetime** The observable of an operator keeps its source alive, and subscribes to it for each of its
///   own subscribers. A token keeps no observable alive, except for the source of a `retry`, the observables
///   that are queued in a `concatMap`, and the target of `forward(to:)`.
@_fixed_layout public class Observable<Value> {
  // NB: the layout is fixed, here and in the other generic classes, because their inlinable initialisers need
  // a fixed layout if library evolution is enabled.
  @inlinable init() {}

  /// Connects an observer. The observer receives one event at a time. Its subscription gets an upstream,
  /// through which it can disconnect.
  @usableFromInline func attach(_ observer: Observer<Value>) {}

  /// The type that diagnostics name.
  @usableFromInline var publicType: Any.Type { type(of: self) }

  /// The newest value of a subject, if it has one; nil for the observable of an operator.
  ///
  /// The `map` of a variable has a value, and `asObservable()` has the value of its source.
  ///
  /// This property is for tests and debugging: code that reads it may miss values that a subscriber receives.
  public var value: Value? { nil }

  /// Returns the same sequence as an observable that cannot be cast to a subject.
  ///
  /// The returned observable keeps the subject alive.
  public func asObservable() -> Observable<Value> {
    ReadOnlyObservable(self)
  }

  /// Returns the results of a function that is called with each value of this observable.
  ///
  /// A closure in a function of the main actor is isolated to the main actor. A closure in a method of
  /// another actor is isolated to that actor if the closure uses `self` strongly. If the closure may run on
  /// any thread, write `map { @Sendable value in … }`.
  ///
  /// - Parameters:
  ///   - fileID: The file of the caller, for diagnostics.
  ///   - line: The line of the caller, for diagnostics.
  ///   - transform: Returns the result for a value. Called with each value, once for each subscriber, on the
  ///     thread that sends it. If this observable is a variable, the closure is called once for all
  ///     subscribers. If the closure is isolated to an actor, a call off that actor is flagged (E9).
  @inlinable public func map<Output>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @isolated(any) (_ value: Value) -> Output
  ) -> Observable<Output> {
    let transform = isolationChecked(transform, of: publicType, at: CallSite(fileID: fileID, line: line))
    return lift { downstream in
      // NB: this does not call `downstream.next`. Variables override `map`, so a call of `map` may be
      // unspecialised. A call of `next` would then look up the type of the observer for each value. This
      // look-up takes longer than all other work.
      let (subscription, onNext) = (downstream.subscription, downstream.onNext)
      return Observer(before: downstream) { value in
        let output = transform(value)
        if !subscription.isClosed { onNext(output) }
      }
    }
  }

  /// Connects an observer to this observable, unless the observer's subscription has ended.
  @inlinable final func connect(_ observer: Observer<Value>) {
    if observer.isActive {
      attach(observer)
    }
  }

  /// Returns an observable that handles each value of this one immediately.
  ///
  /// - Parameter observer: Returns the observer upstream of a subscriber.
  // NB: an observer that calls a closure of the user passes the value to `next` and not to `onNext`, because
  // the closure may have removed the subscription.
  @inlinable final func lift<Output>(
    _ observer: @escaping (Observer<Output>) -> Observer<Value>
  ) -> Observable<Output> {
    Operator<Output> { [self] downstream in connect(observer(downstream)) }
  }
}

// SAFETY: operators store the closures of their users as plain functions, so that a model that is confined to
// an actor or to a queue can pass its own closures. Each subscription calls them with one value at a time.
// All mutable state is behind locks, or used by one step of a queue at a time.
extension Observable: @unchecked Sendable where Value: Sendable {}

/// A read-only view of another observable.
private final class ReadOnlyObservable<Value>: Observable<Value> {
  private let source: Observable<Value>

  init(_ source: Observable<Value>) {
    self.source = source
    super.init()
  }

  override var value: Value? { source.value }

  override var publicType: Any.Type { Observable<Value>.self }

  override func attach(_ observer: Observer<Value>) { source.attach(observer) }
}

// SAFETY: the proof of the superclass holds. The source never changes.
extension ReadOnlyObservable: @unchecked Sendable where Value: Sendable {}
