/// A point on the monotonic time line of one scheduler, in nanoseconds.
///
/// Instants of different schedulers cannot be compared: each scheduler counts from its own origin. For a
/// dispatch queue, the origin is the start of the machine. Arithmetic saturates.
public struct EventInstant: InstantProtocol, Sendable {
  /// An instant that is never reached.
  public static let distantFuture: EventInstant = EventInstant(nanoseconds: .max)

  /// Nanoseconds since the scheduler's origin.
  public let nanoseconds: Int64

  /// Creates an instant.
  ///
  /// - Parameter nanoseconds: Nanoseconds since the scheduler's origin.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Returns the instant that is a duration later than this one, or earlier if the duration is negative.
  ///
  /// - Complexity: O(1).
  public func advanced(by duration: Duration) -> EventInstant {
    let part = duration.saturatingNanoseconds
    let instant = advanced(byNanoseconds: part)
    // The time between an instant before the origin and an instant after it can exceed `Int64.max`
    // nanoseconds. The rest of that time is added below.
    guard part == .max || part == .min, instant != .distantFuture, instant.nanoseconds > .min else {
      return instant
    }
    return instant.advanced(by: duration - .nanoseconds(part))
  }

  /// Returns the time from this instant to another one.
  ///
  /// - Complexity: O(1).
  public func duration(to other: EventInstant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  /// Returns whether one instant is earlier than another.
  public static func < (lhs: EventInstant, rhs: EventInstant) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// The nanoseconds from this instant to another one. The result saturates.
  package func nanoseconds(to other: EventInstant) -> Int64 {
    let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
    return overflow ? (self < other ? .max : .min) : difference
  }

  func advanced(byNanoseconds delta: Int64) -> EventInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(delta)
    return EventInstant(nanoseconds: overflow ? (delta < 0 ? .min : .max) : sum)
  }
}

extension EventInstant: CustomStringConvertible {
  /// The time since the origin of the scheduler, in seconds.
  public var description: String {
    self == .distantFuture
      ? "the instant that never comes" : "\(EventInstant(nanoseconds: 0).duration(to: self))"
  }
}

extension Duration {
  /// This duration in whole nanoseconds. A fraction is rounded up, and the result saturates.
  ///
  /// Rounding up keeps a positive interval positive: only an interval of zero or less means the next turn
  /// (C8).
  package var saturatingNanoseconds: Int64 {
    // The division truncates toward zero, so a negative quotient is already rounded up.
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int64(clamping: rest > 0 ? whole + 1 : whole)
  }
}
