import SimpleEvents
import TestSupport
import Testing

/// A timeline, and the outcome that the tests of another project assert for it.
struct PublishedTimeline: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable {
    /// The deliveries, in the second line of a drawing. Each delivery has the name of its newest event.
    case drawing(MarbleTimeline)
    /// The number of deliveries up to and including an instant in milliseconds, if the source asserts counts.
    case counts([Int: Int])
  }

  var source: String
  var policy: CoalescingPolicy
  /// The time that a column stands for.
  var unit: Duration
  /// The signals. `!` cancels: the rest is not signalled. `|` flushes, as the end of a source does.
  var events: Marbles
  var outcome: Outcome
  /// Whether the closure of the callback signals it again.
  var signalsInside: Bool = false

  /// Creates a timeline whose source asserts deliveries. The events are in the first line, the deliveries in
  /// the second.
  init(
    _ source: String, _ policy: CoalescingPolicy, unit: Duration = .milliseconds(1), _ drawing: String
  ) {
    let timeline = MarbleTimeline(drawing)
    (self.source, self.policy, self.unit) = (source, policy, unit)
    (events, outcome) = (timeline.events, .drawing(timeline))
  }

  /// Creates a timeline whose source asserts counts of deliveries. All instants are in milliseconds.
  init(
    _ source: String, _ policy: CoalescingPolicy, _ events: [Int], counts: [Int: Int], cancelAt: Int? = nil,
    flushAt: Int? = nil, signalsInside: Bool = false
  ) {
    (self.source, self.policy, unit) = (source, policy, .milliseconds(1))
    let ends = [(cancelAt, Character("!")), (flushAt, "|")].compactMap { instant, symbol in
      instant.map { Marbles.Mark($0, symbol) }
    }
    self.events = Marbles((events.map { Marbles.Mark($0, "x") } + ends).sorted { $0.column < $1.column })
    outcome = .counts(counts)
    self.signalsInside = signalsInside
  }

  var testDescription: String { source }
}
