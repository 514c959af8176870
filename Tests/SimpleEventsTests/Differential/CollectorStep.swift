/// One step of a random program on a collector.
enum CollectorStep {
  /// Adds an element with a key.
  case add(key: Int)
  /// Adds elements with keys in one call; there may be none.
  case addContents(keys: [Int])
  case cancel
  case flush
  /// Runs the pending turns, then moves time by milliseconds.
  case advance(Int)
}
