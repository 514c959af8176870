/// The rule by which a loop runs again after an error: how long it waits, and when the retries end.
///
/// The operator `retry(_:on:)` of observables takes such a rule as well: it subscribes again after an error.
///
/// ```swift
/// let loop = RefreshLoop(
///   on: queue, retry: .exponential(initial: .seconds(1)).maximum(.seconds(60)).fullJitter()
/// ) {
///   try await upload()
/// } onError: { error in
///   print(error)
/// }
/// ```
///
/// A retry does not pass through the policy of its loop, and opens no window (L8): the next request may start
/// a run directly after the retry. For a strict rate, pause in the body, as <doc:Recipes> shows.
///
/// A rule receives the number of failures in a row. The number is reset by a success, by an error that is not
/// retried, and by a `cancel()` of the loop while no run is in progress. For the operator `retry` of values,
/// a value is a success.
///
/// A negative wait ends immediately. A wait that is too long for the clock of a scheduler never ends by
/// itself.
///
/// The names of the members are those of the retry proposal for Swift Async Algorithms.
public struct Backoff: Sendable, CustomStringConvertible {
  private let rule: @Sendable (_ failures: Int, _ error: any Error) -> Duration?
  /// Whether an argument was not a number (C8).
  private let isNotANumber: Bool
  /// The rule in words.
  ///
  /// For example `exponential from 1 s, factor 2.0, at most 1 min, full jitter`.
  public let description: String

  private init(
    _ description: String, isNotANumber: Bool = false,
    _ rule: @escaping @Sendable (_ failures: Int, _ error: any Error) -> Duration?
  ) {
    self.description = description
    self.isNotANumber = isNotANumber
    self.rule = rule
  }

  /// No retries: after an error, the loop runs again only for a request.
  public static let never: Backoff = Backoff("never") { _, _ in nil }

  /// The same wait after each error.
  ///
  /// - Parameter delay: The wait between the end of a run and the start of the next one.
  public static func constant(_ delay: Duration) -> Backoff {
    Backoff("constant \(delay.short)") { _, _ in delay }
  }

  /// A wait that grows by a factor with each error in a row.
  ///
  /// - Parameters:
  ///   - factor: The ratio of each wait to the previous one. A factor that is not a number is flagged by the
  ///     loop or the operator, and means one.
  ///   - initial: The wait after the first error.
  public static func exponential(factor: Double = 2, initial: Duration) -> Backoff {
    let growth = factor.isNaN ? 1 : factor
    let words = "exponential from \(initial.short), factor \(growth)"
    return Backoff(words, isNotANumber: factor.isNaN) { failures, _ in
      initial.multiplied(by: growth.power(failures - 1))
    }
  }

  /// A wait that a closure calculates from the number of failures and the error.
  ///
  /// ```swift
  /// let retry = Backoff.custom { failures, error in
  ///   error is PermanentError ? nil : .seconds(failures)
  /// }
  /// .maximum(.seconds(60))
  /// ```
  ///
  /// - Parameter delay: The closure that returns the wait, or nil to end the retries. It receives the number
  ///   of failures in a row, including the latest one, and the error. It is called after each error that may
  ///   be retried, in the task of the failed run, on any thread. The operator `retry` calls it on the thread
  ///   of the error.
  public static func custom(
    _ delay: @escaping @Sendable (_ failures: Int, _ error: any Error) -> Duration?
  ) -> Backoff { Backoff("custom", delay) }

  /// This rule with an upper limit for the waits.
  ///
  /// - Parameter limit: The longest wait.
  public func maximum(_ limit: Duration) -> Backoff {
    Backoff("\(description), at most \(limit.short)", isNotANumber: isNotANumber) { failures, error in
      rule(failures, error).map { min($0, limit) }
    }
  }

  /// This rule with random waits between zero and the original wait, so that many clients do not retry
  /// together.
  ///
  /// The algorithm is the full jitter of M. Brooker, "Exponential Backoff And Jitter", 2015.
  ///
  /// - Parameter generator: The source of random numbers. A test passes a generator with a seed. The
  ///   generator is used under a lock, because loops with the same rule share it.
  public func fullJitter(
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) -> Backoff {
    let shared = Guarded<any RandomNumberGenerator>(generator)
    return Backoff("\(description), full jitter", isNotANumber: isNotANumber) { failures, error in
      rule(failures, error).map { limit in
        // The generator is called under the lock, as the documentation above says.
        let nanoseconds = limit.saturatingNanoseconds
        guard nanoseconds > 0 else { return .zero }
        return .nanoseconds(shared.withLock { Int64.random(in: 0...nanoseconds, using: &$0) })
      }
    }
  }

  /// Flags this rule if its factor was not a number. The subject is the loop or the operator that uses the
  /// rule.
  package func flagIfNotANumber(_ subject: DiagnosticSubject) {
    if isNotANumber { subject.misuse.flag(.retryIsNotANumber(subject)) }
  }

  /// The wait after an error; nil if the error is not retried.
  package func delay(after failures: Int, _ error: any Error) -> Duration? {
    rule(failures, error).map { max($0, .zero) }
  }
}

extension Double {
  /// This number to the power of a number that is not negative.
  ///
  /// - Complexity: O(log n).
  fileprivate func power(_ exponent: Int) -> Double {
    var (result, square, exponent) = (1.0, self, exponent)
    while exponent > 0 {
      if exponent % 2 == 1 { result *= square }
      square *= square
      exponent /= 2
    }
    return result
  }
}

extension Duration {
  /// This duration multiplied by a number. A product that is too large saturates. A product that is negative
  /// or not a number becomes zero.
  fileprivate func multiplied(by factor: Double) -> Duration {
    // The multiplication below can change a long duration by a nanosecond, even if the factor is one.
    if factor == 1 { return max(self, .zero) }
    // NB: `components` traps for a duration of more than 2⁶³ seconds.
    let product = Double(attoseconds) * 1e-18 * factor
    guard product > 0 else { return .zero }
    return product < 1e18 ? self * factor : .seconds(Int64.max)
  }
}

extension Misuse {
  fileprivate static func retryIsNotANumber(_ subject: DiagnosticSubject) -> Self {
    Misuse(
      .notANumber, subject, at: subject.site, "The factor of the backoff of \(subject.name) is not a number.",
      "Check the calculation of the factor.", release: "the factor is one")
  }
}
