import SimpleEvents
import SimpleEventsTesting
import SimpleObservables
import TestSupport
import Testing

/// Compares the time operators with timelines that other projects assert for their operators.
struct ValueTimelineTests {
  @Test(
    "debounce, throttle, audit, sample: agree with other projects", arguments: ValueTimeline.all)
  func timelines(_ timeline: ValueTimeline) {
    expectTimeline(timeline.drawing) { events in
      let scheduler = TestScheduler()
      let subject = PublishSubject<Character>()
      let log = MarbleLog(on: scheduler)
      // At equal instants the source sends first.
      for mark in events.marks where !Self.ends.contains(mark.symbol) {
        scheduler.at(mark.column) { subject.update(mark.symbol) }
      }
      let observable: Observable<Character> =
        switch timeline.policy {
        case .coalesced(let policy): subject.coalesced(on: scheduler, policy: policy)
        case .sample(let interval): subject.sample(every: interval, on: scheduler)
        }
      let token = observable.subscribe(
        onNext: { log.add($0) }, onError: { _ in log.add("#") }, onDone: { log.add("|") })
      for mark in events.marks where Self.ends.contains(mark.symbol) {
        scheduler.at(mark.column) {
          switch mark.symbol {
          case "|": subject.finish()
          case "#": subject.fail(Broken())
          default: token.remove()
          }
        }
      }
      scheduler.run()
      #expect(scheduler.pendingCount == 0)
      return log.marbles
    }
  }

  /// The marks of the end of a source, of its error, and of the removal of the subscriber.
  private static let ends: Set<Character> = ["|", "#", "!"]

  @Test("ValueTimeline: the table is complete, and each timeline ends once")
  func table() {
    #expect(ValueTimeline.all.count == 34)
    for timeline in ValueTimeline.all {
      let ends = MarbleTimeline(timeline.drawing).events.marks.count { Self.ends.contains($0.symbol) }
      #expect(ends == 1, "\(timeline.source)")
    }
  }
}
