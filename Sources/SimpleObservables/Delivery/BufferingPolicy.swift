/// The values that are kept for a receiver that is slower than its source.
public enum BufferingPolicy: Sendable, Hashable {
  /// The newest values are kept, at most the given number. A number below one means one.
  case newest(Int)
  /// All values are kept. No value is lost, and memory is not bounded.
  case unbounded

  /// The largest number of values that are kept.
  @usableFromInline var limit: Int {
    switch self {
    case .newest(let count): max(1, count)
    case .unbounded: .max
    }
  }
}
