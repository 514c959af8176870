import SimpleEvents
import SimpleEventsMonitoring
import SimpleEventsTesting
import TestSupport
import Testing

struct InspectorStressTests {
  @Test("CoalescingInspector: sums are exact while sources come and go on other threads")
  func threads() {
    let inspector = CoalescingInspector(keepingEnded: 3)
    onThreads(4) { _ in
      withCoalescingMonitor(inspector) {
        for number in 1...500 {
          let event = LazySimpleEvent(on: TestScheduler())
          for signals in 1...2 {
            for _ in 0..<signals { event.trigger() }
            event.flush()
          }
          // Those of the other threads move from one list to the next meanwhile.
          let signals = inspector.snapshot().total.signals
          if signals < 3 * number { Issue.record("\(signals) of at least \(3 * number) signals") }
        }
      }
    }
    let snapshot = inspector.snapshot()
    #expect(snapshot.count == 3)
    #expect(snapshot.forgottenCount == 1997)
    #expect(snapshot.total.signals == 6000)
    #expect(snapshot.total.deliveries == 4000)
  }
}
