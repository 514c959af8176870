/// A test in two lines: the first has the events, and the second the deliveries that are expected of them.
///
/// ```swift
/// let timeline = MarbleTimeline(
///   """
///   a-b-c-----d
///   -------c------d
///   """)
/// ```
package struct MarbleTimeline: Sendable {
  package let events: Marbles
  package let expected: Marbles

  /// Parses two lines.
  package init(_ drawing: String) {
    let lines = drawing.split(separator: "\n", omittingEmptySubsequences: false)
    precondition(lines.count == 2, "a timeline has a line of events and a line of deliveries")
    events = Marbles(lines[0])
    expected = Marbles(lines[1])
  }

  /// Prints the events and the deliveries. The expected line stands under the actual one, and a mark under
  /// the first difference.
  package func comparison(with actual: Marbles) -> String {
    let lines = (actual: "\(actual)", expected: "\(expected)")
    let column = zip(lines.actual, lines.expected).prefix { $0 == $1 }.count
    return """
      events    \(events)
      actual    \(lines.actual)
      expected  \(lines.expected)
      \(String(repeating: " ", count: 10 + column))^
      """
  }
}
