import SimpleEvents
import SimpleEventsLoops
import SimpleEventsMonitoring
import SimpleEventsTesting
import TestSupport
import Testing

struct TraceTimelineTests {
  private let scheduler = TestScheduler()

  @Test("CoalescingTrace: a recorded run has the expected drawing")
  func timeline() {
    let trace = CoalescingTrace(capacity: 100)
    scheduler.advance(by: .seconds(10))
    let (title, pages) = withCoalescingMonitor(trace) { () -> (LazySimpleEvent, CoalescingCallback) in
      let title = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(100)), label: "title")
      let pages = CoalescingCallback(on: scheduler, policy: .throttle(.milliseconds(150)), label: "pages") {
        @Sendable in
      }
      return (title, pages)
    }
    let start = scheduler.now
    for time in [0, 40, 80, 300] {
      scheduler.schedule(at: start.advanced(by: .milliseconds(time))) {
        title.trigger()
        pages.schedule()
      }
    }
    scheduler.run()
    let drawing = trace.timeline.text(width: 60)
    #expect(
      drawing == """
                          0ms       100ms     200ms     300ms
        title signals     a░░░░░░░░░░░░░░░░░────────────b░░░░░░░░░─
        title deliveries  ──────────────────a─────────────────────b
        pages signals     a───b░░░░░░░░░░───────────────c──────────
        pages deliveries  a──────────────b──────────────c──────────
        """, "\n\(drawing)")
  }

  @Test("CoalescingTrace: different keys have rows of their own, even if their descriptions are equal")
  func keys() {
    struct Key: Hashable, CustomStringConvertible {
      let number: Int
      var description: String { "key" }
    }
    let trace = CoalescingTrace(capacity: 10)
    let callback = withCoalescingMonitor(trace) {
      KeyedCallback<Key>(on: scheduler, label: "pages") { @Sendable _ in }
    }
    for number in [1, 2, 1] {
      callback.schedule(Key(number: number))
      scheduler.advance(by: .seconds(1))
    }
    let rows = trace.timeline.rows
    #expect(
      rows.map(\.title)
        == ["pages key signals", "pages key deliveries", "pages key signals", "pages key deliveries"])
    #expect(rows.map(\.marks.count) == [2, 2, 1, 1])
  }

  @Test("CoalescingTrace: the drawing of no deliveries has no rows")
  func emptyTimeline() {
    #expect(CoalescingTrace(capacity: 1).timeline.rows.isEmpty)
  }

  @Test("CoalescingTrace: the durations of deliveries are shaded in the drawing")
  func durations() throws {
    let trace = CoalescingTrace(capacity: 10)
    let scheduler = scheduler
    try scheduler.run {
      let loop = withCoalescingMonitor(trace) {
        RefreshLoop(on: scheduler, label: "index") {
          try await scheduler.clock.sleep(for: .milliseconds(80))
        } onError: { _ in
        }
      }
      loop.request()
      try await scheduler.clock.sleep(for: .milliseconds(20))
      loop.request()
      await loop.settle()
    }
    let drawing = trace.timeline.text(width: 60)
    #expect(
      drawing == """
                          0ms       40ms      80ms      120ms
        index signals     a────b░░░░░░░░░░░░░░─────────────────────
        index deliveries  a░░░░░░░░░░░░░░░░░░░b░░░░░░░░░░░░░░░░░░░─
        """, "\n\(drawing)")
  }
}
