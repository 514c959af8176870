import SimpleEvents
import TestSupport
import Testing

/// A timeline with the outcome that the tests of another project assert.
struct PublishedTimeline: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable {
    /// The second line of a drawing: the deliveries, each named after its newest event.
    case drawing(MarbleTimeline)
    /// The number of deliveries up to and including an instant in milliseconds, where the source counts them.
    case counts([Int: Int])
  }

  var source: String
  var policy: CoalescingPolicy
  /// The time of a column.
  var unit: Duration
  /// The signals. `!` cancels: the rest is not signalled. `|` flushes, as the end of a source does.
  var events: Marbles
  var outcome: Outcome
  /// Whether the closure of the callback signals it again.
  var signalsInside: Bool = false

  /// A timeline whose source asserts deliveries: the events, and the deliveries in a second line.
  init(
    _ source: String, _ policy: CoalescingPolicy, unit: Duration = .milliseconds(1), _ drawing: String
  ) {
    let timeline = MarbleTimeline(drawing)
    (self.source, self.policy, self.unit) = (source, policy, unit)
    (events, outcome) = (timeline.events, .drawing(timeline))
  }

  /// A timeline whose source counts deliveries, with all instants in milliseconds.
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
