package import SimpleEvents
package import Testing

/// Expects the deliveries of a drawing; a failure prints them under the actual ones.
///
/// - Parameters:
///   - drawing: The events, and in a second line the deliveries; see ``Marbles``.
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

/// Expects the deliveries that a policy makes of events, each named after its newest event.
///
/// - Parameters:
///   - unit: The time of a column.
package func expectTimeline(
  _ drawing: String, by policy: CoalescingPolicy, unit: Duration = .milliseconds(1),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectTimeline(drawing, sourceLocation: sourceLocation) { $0.deliveries(by: policy, unit: unit) }
}
