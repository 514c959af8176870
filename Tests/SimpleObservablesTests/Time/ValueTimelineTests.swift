import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// The time operators compared with timelines that other projects assert for theirs.
@Suite struct ValueTimelineTests {
  @Test(
    "debounce, throttle, audit, sample: keep the timelines of other projects", arguments: ValueTimeline.all)
  func timelines(_ timeline: ValueTimeline) {
    let scheduler = TestScheduler()
    let subject = PublishSubject<Character>()
    let log = Log()
    // At equal instants the source sends first.
    for (event, value) in zip(timeline.events, timeline.values) {
      scheduler.at(event) { subject.update(value) }
    }
    let observable: Observable<Character> =
      switch timeline.policy {
      case .coalesced(let policy): subject.coalesced(on: scheduler, policy: policy)
      case .sample(let interval): subject.sample(every: interval, on: scheduler)
      }
    let token = observable.subscribe(
      onNext: { log.add("\(scheduler.milliseconds) \($0)") },
      onError: { _ in log.add("\(scheduler.milliseconds) error") },
      onDone: { log.add("\(scheduler.milliseconds) done") })
    switch timeline.end {
    case .finish(let instant): scheduler.at(instant) { subject.finish() }
    case .fail(let instant): scheduler.at(instant) { subject.fail(Broken()) }
    case .remove(let instant): scheduler.at(instant) { token.remove() }
    }
    scheduler.run()
    #expect(log.entries == timeline.expected)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("ValueTimeline: the table is complete and consistent")
  func table() {
    #expect(ValueTimeline.all.count == 34)
    #expect(ValueTimeline.all.filter { !$0.atEnd.isEmpty }.count == 3)
    for timeline in ValueTimeline.all {
      #expect(timeline.events.count == timeline.values.count, "\(timeline.source)")
      #expect(timeline.instants.count == timeline.delivered.count, "\(timeline.source)")
    }
  }
}
