import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C1 to C8: the engine on the timelines that the tests of other projects assert.
@Suite struct TimelineTests {
  @Test(
    "C1 to C8: the engine delivers at the instants that the project asserts", arguments: PublishedTimeline.all
  )
  func conforms(_ timeline: PublishedTimeline) {
    let scheduler = TestScheduler()
    let recorder = EventRecorder(on: scheduler)
    weak var again: CoalescingCallback?
    let misuses = MisuseLog()
    let callback = CoalescingCallback(on: scheduler, policy: timeline.policy, misuse: misuses.handler) {
      recorder.record()
      if timeline.signalsInside {
        again?.schedule()
      }
    }
    again = callback

    // A cancelled subscription receives no further events.
    for event in timeline.events where event <= timeline.cancelAt ?? .max {
      scheduler.at(event) { callback.schedule() }
    }
    if let cancelAt = timeline.cancelAt {
      scheduler.at(cancelAt) { callback.cancel() }
    }
    if let flushAt = timeline.flushAt {
      scheduler.at(flushAt) { callback.flush() }
    }

    for (instant, count) in timeline.counts.sorted(by: { $0.key < $1.key }) {
      scheduler.advance(toMilliseconds: instant)
      #expect(recorder.count == count, "by \(instant) ms")
    }
    scheduler.run()
    if let fires = timeline.fires {
      let drawing = Timeline(milliseconds: [
        "events": timeline.events, "actual": recorder.milliseconds, "expected": fires,
      ])
      #expect(recorder.milliseconds == fires, "\(drawing)")
    }
    #expect(misuses.kinds == (timeline.policy == .debounce(.milliseconds(32), edges: []) ? [.noEdges] : []))
    withExtendedLifetime(callback) {}
  }

  @Test("PublishedTimeline: all 60 timelines are tested or have a reason for their exclusion")
  func allTimelines() {
    #expect(PublishedTimeline.all.count + PublishedTimeline.notApplicable.count == 60)
    #expect(PublishedTimeline.all.allSatisfy { $0.fires != nil || !$0.counts.isEmpty })
    #expect(PublishedTimeline.notApplicable.allSatisfy { !$0.reason.isEmpty })
  }

  @Test("DebouncePolicy: the three names keep the timing of MMMObservables")
  func classicPolicies() {
    // The timelines of the tests of MMMObservables, in columns of 10 ms. The fourth event of the second one
    // is inside a sliding window and outside a fixed one.
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
