import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// The engine against timelines that other projects assert of theirs.
@Suite struct TimelineTests {
  @Test(arguments: Timeline.all)
  func conforms(_ timeline: Timeline) {
    let scheduler = TestScheduler()
    let recorder = EventRecorder(scheduler: scheduler)
    let again = Relay()
    let misuses = MisuseLog()
    let callback = CoalescingCallback(scheduler: scheduler, policy: timeline.policy, misuse: misuses.handler)
    {
      recorder.record()
      if timeline.signalsInside {
        again.callback?.schedule()
      }
    }
    again.callback = callback

    // A cancelled subscription takes no further events.
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
      let end = max(fires.last ?? 0, timeline.events.last ?? 0)
      #expect(
        recorder.milliseconds == fires,
        """
        events   \(marble(timeline.events, until: end))
        expected \(marble(fires, until: end))
        actual   \(marble(recorder.milliseconds, until: end))
        """)
    }
    #expect(misuses.kinds == (timeline.policy == .debounce(.milliseconds(32), edges: []) ? [.noEdges] : []))
    withExtendedLifetime(callback) {}
  }

  @Test func `every row is here or has a reason not to be`() {
    #expect(Timeline.all.count + Timeline.notApplicable.count == 60)
    #expect(Timeline.all.allSatisfy { $0.fires != nil || !$0.counts.isEmpty })
    #expect(Timeline.notApplicable.allSatisfy { !$0.reason.isEmpty })
  }

  @Test func `the classic names keep the timing of MMMObservables`() {
    // As its own tests have them, and with a fourth event that tells a sliding window from a fixed one.
    #expect(firings(classic(.default), [0, 50, 100]) == [200])
    #expect(firings(classic(.debounceLeading), [0, 50, 100, 140]) == [0])
    #expect(firings(classic(.throttle), [0, 50, 200]) == [100, 300])
  }

  private func classic(_ policy: SimpleEventGroupObserver.DebouncePolicy) -> CoalescingPolicy {
    policy.policy(timeout: 0.1, misuse: .trap, at: RegistrationSite())
  }

  private func firings(_ policy: CoalescingPolicy, _ events: [Int]) -> [Int] {
    let scheduler = TestScheduler()
    let recorder = EventRecorder(scheduler: scheduler)
    let callback = CoalescingCallback(scheduler: scheduler, policy: policy) { recorder.record() }
    for event in events {
      scheduler.at(event) { callback.schedule() }
    }
    scheduler.run()
    withExtendedLifetime(callback) {}
    return recorder.milliseconds
  }
}

/// A callback that its own closure can reach. NB: tests of one thread only.
private final class Relay: @unchecked Sendable {
  weak var callback: CoalescingCallback?
}
