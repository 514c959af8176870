package import SimpleEvents
package import Testing

/// Checks the deliveries of events against a drawing. A failure prints the expected deliveries under the
/// actual ones.
///
/// - Parameters:
///   - drawing: The events in the first line, and the expected deliveries in the second; see ``Marbles``.
///   - deliver: Returns the deliveries of the events.
package func expectTimeline(
  _ drawing: String, sourceLocation: SourceLocation = #_sourceLocation, _ deliver: (Marbles) -> Marbles
) {
  let timeline = MarbleTimeline(drawing)
  let actual = deliver(timeline.events)
  if actual != timeline.expected {
    Issue.record(
      Comment(rawValue: "\n" + timeline.comparison(with: actual)), sourceLocation: sourceLocation)
  }
}

/// Expects the deliveries that a policy makes of events. Each delivery has the name of its newest event.
///
/// - Parameters:
///   - unit: The time that a column stands for.
package func expectTimeline(
  _ drawing: String, by policy: CoalescingPolicy, unit: Duration = .milliseconds(1),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectTimeline(drawing, sourceLocation: sourceLocation) { $0.deliveries(by: policy, unit: unit) }
}
