import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// The time operators against timelines that other projects assert of theirs.
@Suite struct ValueTimelineTests {
  @Test(arguments: ValueTimeline.all)
  func conforms(_ timeline: ValueTimeline) {
    let scheduler = TestScheduler()
    let subject = PublishSubject<Character>()
    let log = Log()
    // The source speaks first where things happen at the same instant.
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
    let subscription = Kept(token: token)
    switch timeline.end {
    case .finish(let instant): scheduler.at(instant) { subject.finish() }
    case .fail(let instant): scheduler.at(instant) { subject.fail(Broken()) }
    case .remove(let instant): scheduler.at(instant) { subscription.token.remove() }
    }
    scheduler.run()
    #expect(log.entries == timeline.expected)
    #expect(scheduler.pendingCount == 0)
  }

  @Test func `every row is here`() {
    #expect(ValueTimeline.all.count == 34)
    #expect(ValueTimeline.all.filter { !$0.leaves.isEmpty }.count == 3)
    for timeline in ValueTimeline.all {
      #expect(timeline.events.count == timeline.values.count, "\(timeline.source)")
      #expect(timeline.tells.count == timeline.told.count, "\(timeline.source)")
    }
  }
}

/// NB: `@unchecked`, since a token is not `Sendable`: one thread drives the scheduler.
private struct Kept: @unchecked Sendable {
  let token: any SimpleEventToken
}
