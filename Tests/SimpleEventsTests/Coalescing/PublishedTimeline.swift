import SimpleEvents
import Testing

/// A timeline with the outcome that the tests of another project assert, in milliseconds.
struct PublishedTimeline: Sendable, CustomTestStringConvertible {
  var source: String
  var policy: CoalescingPolicy
  var events: [Int]
  /// The instants of the deliveries, if the source asserts them.
  var fires: [Int]?
  /// The number of deliveries up to and including an instant, where the source counts them.
  var counts: [Int: Int]
  /// The instant of a cancellation.
  var cancelAt: Int?
  /// The instant of a flush, or of the completion of a source whose operator then emits the pending value.
  var flushAt: Int?
  /// Whether the closure of the callback signals it again.
  var signalsInside: Bool

  init(
    _ source: String, _ policy: CoalescingPolicy, _ events: [Int], fires: [Int]? = nil,
    counts: [Int: Int] = [:],
    cancelAt: Int? = nil, flushAt: Int? = nil, signalsInside: Bool = false
  ) {
    self.source = source
    self.policy = policy
    self.events = events
    self.fires = fires
    self.counts = counts
    self.cancelAt = cancelAt
    self.flushAt = flushAt
    self.signalsInside = signalsInside
  }

  var testDescription: String { source }
}
