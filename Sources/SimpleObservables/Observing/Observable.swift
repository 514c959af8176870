/// A sequence of values over time that you can subscribe to, and cannot change.
///
/// Keep the subject private, and show this:
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
/// A subscription lasts as long as its token: keep that, in a property or a ``DisposeBag``.
///
/// - **Grammar** Any number of values, then at most one error or one end, then nothing.
/// - **Order** Subscribers of a subject are called in the order they subscribed. A nested update, made by a
///   subscriber in the middle of a delivery, is delivered after the current value has reached everybody,
///   so that all see the same sequence.
/// - **Removal** A subscriber that is removed during a delivery is not called any more; one that is added
///   is not called for the value in flight.
/// - **Threads** Usable from any thread where the value is `Sendable`. A subscriber is called on the thread
///   that sends the value, or on the scheduler it asked for, under no lock and never twice at once. When
///   two threads send through the same subject at once, one of them delivers for both.
/// - **Lifetime** An operator's observable keeps its source, and subscribes to it anew for each of its own
///   subscribers, for as long as those last. A token keeps no observable alive.
@_fixed_layout
public class Observable<Value> {
  // NB: the layout is fixed, here and in the other generic classes, because their inlinable initialisers need
  // that where library evolution is enabled.
  @usableFromInline let attach: (Observer<Value>) -> Void
  @usableFromInline let current: () -> Value?

  /// - Parameters:
  ///   - current: Tells the newest value, for sources that keep it.
  ///   - attach: Makes a source tell an observer its signals, one at a time, and puts into the observer's
  ///     subscription what ends that.
  @inlinable
  init(current: @escaping () -> Value? = { nil }, attach: @escaping (Observer<Value>) -> Void) {
    self.attach = attach
    self.current = current
  }

  /// The newest value, where the source is a subject that has one; nil otherwise.
  ///
  /// For tests and debugging: subscribe in order not to miss any.
  public var value: Value? { current() }

  /// The same sequence without the means to send: what is returned is no subject in disguise.
  ///
  /// It keeps the subject alive.
  public func asObservable() -> Observable<Value> {
    Observable(current: { [self] in value }, attach: { [self] in attach($0) })
  }

  /// The values of this observable, each put through a function.
  ///
  /// - Parameter transform: Called with each value, once for each subscriber.
  @inlinable
  public func map<Output>(_ transform: @escaping (Value) -> Output) -> Observable<Output> {
    lift { downstream in
      Observer(before: downstream) { downstream.next(transform($0)) }
    }
  }

  /// Connects an observer to the source, unless it has ended before.
  @inlinable
  final func connect(_ observer: Observer<Value>) {
    if observer.isActive {
      attach(observer)
    }
  }

  /// Connects closures by a subscription of their own, which ends with another one.
  final func connect(
    under downstream: Subscription, onNext: @escaping (Value) -> Void,
    onEnd: @escaping (Completion) -> Void
  ) {
    let upstream = Subscription()
    downstream.add(upstream)
    connect(Observer(upstream, onNext: onNext, onEnd: onEnd))
  }

  /// An observable that answers each value of this one at once.
  ///
  /// - Parameter observer: Makes, for each subscriber, the observer upstream of it.
  // NB: an observer that calls a closure of the user passes the value on with `next` and not with `onNext`,
  // because the closure may have removed the subscription.
  @inlinable
  final func lift<Output>(
    _ observer: @escaping (Observer<Output>) -> Observer<Value>
  ) -> Observable<Output> {
    Observable<Output> { [self] downstream in connect(observer(downstream)) }
  }
}

// SAFETY: operators hold the closures of their users as plain functions, so that a model that is confined to
// an actor or to a queue can pass its own. They are called one value at a time for each subscription. All
// mutable state is behind locks, or touched by one performer of a serial line at a time.
extension Observable: @unchecked Sendable where Value: Sendable {}
