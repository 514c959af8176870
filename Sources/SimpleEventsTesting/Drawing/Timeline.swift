public import SimpleEvents

/// A drawing of instants in rows, as text.
///
/// A failed test prints the expected instants above the actual ones:
///
/// ```swift
/// #expect(
///   recorder.times == expected,
///   "\(Timeline(["events": events, "expected": expected, "actual": recorder.times]))")
/// ```
///
/// Another initialiser runs the engine of each policy in virtual time, and draws its windows and deliveries:
///
/// ```swift
/// let events: [Duration] = [.zero, .milliseconds(40), .milliseconds(80), .milliseconds(300)]
/// let timeline = Timeline(
///   events: events,
///   policies: ["debounce": .debounce(.milliseconds(100)), "throttle": .throttle(.milliseconds(100))])
/// print(timeline.text(width: 60))
/// ```
///
///               0ms       100ms     200ms     300ms     400ms
///     events    a───b───c─────────────────────d──────────
///     debounce  ░░░░░░░░░░░░░░░░░░c───────────░░░░░░░░░░d
///     throttle  a░░░░░░░░░c░░░░░░░░░──────────d░░░░░░░░░─
///
/// All durations count from one common instant.
public struct Timeline: Sendable, Hashable {
  /// The rows, from top to bottom.
  public var rows: [Row]

  /// Creates a drawing of rows.
  ///
  /// - Parameter rows: The rows, from top to bottom.
  public init(_ rows: [Row]) {
    self.rows = rows
  }

  /// Creates a drawing of instants.
  ///
  /// - Parameter rows: The title and the instants of each row, the instants in any order.
  public init(_ rows: KeyValuePairs<String, [Duration]>) {
    self.rows = rows.map { Row($0.key, at: $0.value) }
  }

  /// Creates a drawing of events, and of their deliveries by policies.
  ///
  /// - Parameters:
  ///   - events: The instants of the events, in any order.
  ///   - policies: The policies and the titles of their rows.
  /// - Complexity: O(n log n) for each policy, where n is the number of events.
  public init(events: [Duration], policies: KeyValuePairs<String, CoalescingPolicy>) {
    let events = events.sorted()
    rows = [Row(events: events)] + policies.map { Row($0.key, of: events, by: $0.value) }
  }

  /// The instant of the last mark, or the end of the last window if the end is later and not infinite.
  package var end: Duration {
    let windows = rows.flatMap(\.windows).map(\.upperBound).filter { $0 < .nanoseconds(Int64.max) }
    return (rows.flatMap(\.marks).map(\.time) + windows).max() ?? .zero
  }
}
