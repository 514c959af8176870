/// A bucket of tokens in exact nanoseconds: a naive model of a rate limiter (R1) and of the tasks that wait
/// for it (R3).
///
/// The level is counted in parts of a token. Each nanosecond adds one part, and a token has as many parts as
/// the interval has nanoseconds.
package struct NaiveBucket {
  private let interval: Int128
  private let capacity: Int128
  private var level: Int128
  private var now: Int128
  /// The tasks that wait, in the order in which they began to wait.
  package private(set) var waiting: [Int] = []

  package init(interval: Int64, burst: Int64, at now: Int64) {
    self.interval = Int128(interval)
    capacity = Int128(interval) * Int128(burst)
    level = capacity
    self.now = Int128(now)
  }

  /// Lets time pass. Returns the tasks that are admitted, with the instants of their admission.
  package mutating func advance(to instant: Int64) -> [(task: Int, at: Int64)] {
    var admitted: [(task: Int, at: Int64)] = []
    while let first = waiting.first, now + interval - level <= Int128(instant) {
      pass(to: now + interval - level)
      level -= interval
      waiting.removeFirst()
      admitted.append((first, Int64(now)))
    }
    pass(to: Int128(instant))
    return admitted
  }

  /// Takes a token, unless there is none or a task waits for one; returns whether a token was taken.
  package mutating func take() -> Bool {
    guard waiting.isEmpty, level >= interval else { return false }
    level -= interval
    return true
  }

  package mutating func wait(_ task: Int) { waiting.append(task) }

  package mutating func cancel(_ task: Int) { waiting.removeAll { $0 == task } }

  private mutating func pass(to instant: Int128) {
    level = min(capacity, level + instant - now)
    now = instant
  }
}
