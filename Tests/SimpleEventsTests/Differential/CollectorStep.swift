/// One step of a random program on a collector.
enum CollectorStep {
  /// Adds an element with a key.
  case add(key: Int)
  /// Adds elements with the given keys in one call. The list may be empty.
  case addContents(keys: [Int])
  case cancel
  case flush
  /// Runs the pending turns, then moves time by a number of milliseconds.
  case advance(Int)
}
