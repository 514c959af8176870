/// The name of a bag in Snail.
public typealias Disposer = DisposeBag

/// The name in Snail of a distinct variable.
public typealias Unique = DistinctVariable

extension Observable where Value: Sendable {
  /// Waits for the first value, and returns it or the error as a result.
  ///
  /// - Returns: The value; nil if the sequence finishes without one. In case of failure: the error of the
  ///   sequence, or `CancellationError` if the task is cancelled before there is a value.
  public func firstResult() async -> Result<Value?, any Error> {
    do {
      return .success(try await first())
    } catch {
      return .failure(error)
    }
  }
}
