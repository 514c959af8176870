/// A subject whose subscribers receive the values that are sent after they subscribed.
///
/// ```swift
/// let locations = PublishSubject<Location>()
/// let token = locations.subscribe { location in print(location) }
/// locations.update(location)
/// ```
///
/// See ``Subject`` for threads, nested updates and the end.
@_fixed_layout public final class PublishSubject<Value>: Subject<Value> {
  /// Creates a subject.
  @inlinable public init() {
    super.init(Broadcast(replaysNewest: false))
  }
}

// SAFETY: the superclass is safe to use from any thread, and this class adds no mutable state.
extension PublishSubject: @unchecked Sendable where Value: Sendable {}
