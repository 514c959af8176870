import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C1 to C8: the engine on timelines that the tests of other projects assert.
struct TimelineTests {
  @Test(
    "C1 to C8: the engine delivers at the instants that projects assert", arguments: PublishedTimeline.all
  )
  func conforms(_ timeline: PublishedTimeline) {
    let scheduler = TestScheduler()
    let start = scheduler.now
    let deliveries = MarbleLog(on: scheduler, unit: timeline.unit)
    let newest = Guarded<Character>("?")
    weak var again: CoalescingCallback?
    let misuses = MisuseLog()
    let callback = CoalescingCallback(on: scheduler, policy: timeline.policy, misuse: misuses.handler) {
      deliveries.add(newest.withLock { $0 })
      if timeline.signalsInside { again?.schedule() }
    }
    again = callback

    // A cancelled subscription receives no further events.
    let marks = timeline.events.marks
    let end = marks.firstIndex { $0.symbol == "!" } ?? marks.count - 1
    for mark in marks[...end] {
      scheduler.schedule(at: start.advanced(by: timeline.unit * mark.column)) {
        switch mark.symbol {
        case "!": callback.cancel()
        case "|": callback.flush()
        default:
          _ = newest.exchange(mark.symbol)
          callback.schedule()
        }
      }
    }

    switch timeline.outcome {
    case .counts(let counts):
      for (instant, count) in counts.sorted(by: { $0.key < $1.key }) {
        scheduler.advance(toMilliseconds: instant)
        #expect(deliveries.marbles.marks.count == count, "by \(instant) ms")
      }
      scheduler.run()
    case .drawing(let drawing):
      scheduler.run()
      let actual = deliveries.marbles
      #expect(actual == drawing.expected, "\n\(drawing.comparison(with: actual))")
    }
    #expect(misuses.kinds == (timeline.policy == .debounce(.milliseconds(32), edges: []) ? [.noEdges] : []))
    withExtendedLifetime(callback) {}
  }

  @Test("PublishedTimeline: all 60 timelines are tested, or excluded for a stated reason")
  func allTimelines() {
    #expect(PublishedTimeline.all.count + PublishedTimeline.notApplicable.count == 60)
    for timeline in PublishedTimeline.all {
      if case .counts(let counts) = timeline.outcome { #expect(!counts.isEmpty, "\(timeline.source)") }
    }
    #expect(PublishedTimeline.notApplicable.allSatisfy { !$0.reason.isEmpty })
  }

  @Test("DebouncePolicy: the three policies keep the timing of MMMObservables")
  func classicPolicies() {
    // The timelines of MMMObservables' tests, in columns of 10 ms. The fourth event of the second timeline is
    // inside a sliding window, and outside a fixed window.
    let unit = Duration.milliseconds(10)
    expectTimeline(
      """
      a----b----c
      --------------------c
      """, by: classic(.default), unit: unit)
    expectTimeline(
      """
      a----b----c---d
      a
      """, by: classic(.debounceLeading), unit: unit)
    expectTimeline(
      """
      a----b--------------c
      ----------b-------------------c
      """, by: classic(.throttle), unit: unit)
  }

  private func classic(_ policy: SimpleEventGroupObserver.DebouncePolicy) -> CoalescingPolicy {
    policy.policy(
      timeout: 0.1,
      DiagnosticSubject(
        SimpleEventGroupObserver.self, label: nil, misuse: .trap, fileID: #fileID, line: #line))
  }
}
