/// A subject that tells a new subscriber the last few values first.
///
/// It does so also after its end, before it tells that.
@_fixed_layout
public final class ReplaySubject<Value>: Subject<Value> {
  /// Creates a subject that has nothing to say yet.
  ///
  /// - Parameter bufferSize: How many values it keeps; less than zero is taken for zero.
  @inlinable
  public init(bufferSize: Int) {
    super.init(Broadcast(capacity: max(0, bufferSize), label: "ReplaySubject"))
  }
}

// SAFETY: the superclass is safe to use from any thread, and nothing is added that changes.
extension ReplaySubject: @unchecked Sendable where Value: Sendable {}
