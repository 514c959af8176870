/// What waits for a receiver that is slower than its source.
public enum Backlog: Sendable, Hashable {
  /// The newest value only: each one takes the place of the one that waits.
  case latest
  /// The newest values, at most so many. Less than one is taken for one.
  case buffering(Int)
  /// All values, however many: nothing is lost, and memory is not bounded.
  case unlimited

  /// How many values may wait.
  var limit: Int {
    switch self {
    case .latest: 1
    case .buffering(let count): max(1, count)
    case .unlimited: .max
    }
  }
}
