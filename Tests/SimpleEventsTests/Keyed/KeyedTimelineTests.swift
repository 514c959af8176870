import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// K1: the times that other libraries assert for a debounce or throttle of each identifier.
struct KeyedTimelineTests {
  /// Values at instants in milliseconds, and the values that are expected to be delivered.
  struct Timeline: CustomTestStringConvertible, Sendable {
    /// The name of the test of the Composable Architecture that has this timeline.
    let testDescription: String
    let policy: CoalescingPolicy
    /// Whether the first value of a window is delivered instead of the newest.
    var keepsFirst: Bool = false
    let values: [(Int, Int)]
    let delivered: [String]
  }

  static let known: [Timeline] = [
    Timeline(
      testDescription: "debounce", policy: .debounce(.seconds(1)), values: [(0, 1), (500, 2), (1000, 3)],
      delivered: ["2000 3"]),
    Timeline(
      testDescription: "throttle, latest", policy: .throttle(.seconds(1)),
      values: [(0, 1), (1, 2), (250, 3), (500, 4), (750, 5)], delivered: ["0 1", "1000 5"]),
    Timeline(
      testDescription: "throttle, first", policy: .throttle(.seconds(1)), keepsFirst: true,
      values: [(0, 1), (1, 2), (250, 3), (500, 4), (750, 5), (1250, 6), (1750, 7)],
      delivered: ["0 1", "1000 2", "2000 6"]),
    Timeline(
      testDescription: "throttle, after the interval", policy: .throttle(.seconds(1)),
      values: [(0, 1), (2000, 2), (4000, 3)], delivered: ["0 1", "2000 2", "4000 3"]),
    Timeline(
      testDescription: "throttle, the first value once", policy: .throttle(.seconds(1)), keepsFirst: true,
      values: [(0, 1), (500, 2), (1001, 3)], delivered: ["0 1", "1000 2", "2000 3"]),
  ]

  @Test("K1: the timelines of the Composable Architecture hold for each identifier", arguments: known)
  func timelines(_ timeline: Timeline) {
    let scheduler = TestScheduler()
    let logs = ["a": Log(), "b": Log()]
    let collector = KeyedCollector<String, Int>(
      on: scheduler, policy: timeline.policy, keeping: timeline.keepsFirst ? .oldest(1) : .newest(1)
    ) { key, batch in
      for value in batch { logs[key]?.add("\(scheduler.milliseconds) \(value)") }
    }
    for (instant, value) in timeline.values {
      scheduler.at(instant) { collector.add(value, for: "a") }
      // The other key has the same values 100 ms later.
      scheduler.at(instant + 100) { collector.add(value, for: "b") }
    }
    scheduler.run()
    #expect(logs["a"]?.entries == timeline.delivered)
    let later = timeline.delivered.map { text in
      let parts = text.split(separator: " ")
      return "\(Int(parts[0])! + 100) \(parts[1])"
    }
    #expect(logs["b"]?.entries == later)
    #expect(collector.entryCount == 0)
  }
}
