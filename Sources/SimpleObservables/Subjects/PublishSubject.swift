/// A subject that starts empty, and tells subscribers what is sent from then on.
///
/// ```swift
/// let locations = PublishSubject<Location>()
/// let token = locations.subscribe { location in print(location) }
/// locations.update(location)
/// ```
///
/// See ``Subject`` for threads, nested updates and the end.
@_fixed_layout
public final class PublishSubject<Value>: Subject<Value> {
  /// Creates a subject that has nothing to say yet.
  @inlinable
  public init() {
    super.init(Broadcast(capacity: 0, label: "PublishSubject"))
  }
}

// SAFETY: the superclass is safe to use from any thread, and nothing is added that changes.
extension PublishSubject: @unchecked Sendable where Value: Sendable {}
