/// A subject that tells a new subscriber the last few values first.
///
/// It does so also after its end, before it tells that.
public final class ReplaySubject<Value>: Subject<Value> {
  /// Creates a subject that has nothing to say yet.
  ///
  /// - Parameter bufferSize: How many values it keeps; less than zero is taken for zero.
  @inlinable
  public init(bufferSize: Int) {
    super.init(Broadcast(capacity: max(0, bufferSize), label: "ReplaySubject"))
  }
}

// NB: not checked by the compiler, like its superclass; it adds nothing that changes.
extension ReplaySubject: @unchecked Sendable where Value: Sendable {}
