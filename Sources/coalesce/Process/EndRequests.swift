package import SimpleEvents

/// Interprets the signals that request the end of the program.
///
/// One request may arrive as two signals. A shell and the kernel both send SIGHUP when a terminal is closed,
/// and `timeout` sends SIGTERM to its child and to its group.
package struct EndRequests {
  /// The meaning of a signal.
  package enum Meaning: Equatable, Sendable {
    /// The first request: the program ends in an orderly way.
    case end
    /// A repetition of the first request. A repetition has no effect.
    case repetition
    /// A second request: the program exits immediately.
    case exit
  }

  /// The time after the first signal in which the same signal counts as the same request.
  package static let repetitionTime: Duration = .milliseconds(500)

  private var first: (number: Int32, instant: EventInstant)?

  package init() {}

  /// Returns the meaning of a signal that arrives at an instant.
  package mutating func meaning(of number: Int32, at instant: EventInstant) -> Meaning {
    guard let first else {
      first = (number, instant)
      return .end
    }
    let isRepeated = number == first.number && first.instant.duration(to: instant) <= Self.repetitionTime
    return isRepeated ? .repetition : .exit
  }
}
