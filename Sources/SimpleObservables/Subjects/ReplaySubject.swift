/// A subject whose new subscribers receive the last values first.
///
/// After the end of the subject, a new subscriber receives the last values and then the end.
@_fixed_layout public final class ReplaySubject<Value>: Subject<Value> {
  /// Creates a subject.
  ///
  /// - Parameter bufferSize: The number of values that the subject keeps. A number below zero means zero.
  @inlinable public init(bufferSize: Int) {
    super.init(Broadcast(rules: BroadcastDetails(capacity: max(0, bufferSize))))
  }
}

// SAFETY: the superclass is safe to use from any thread, and this class adds no mutable state.
extension ReplaySubject: @unchecked Sendable where Value: Sendable {}
