import SimpleEvents
import SimpleEventsMonitoring
import SimpleEventsTesting
import TestSupport
import Testing

struct InspectorStressTests {
  @Test("CoalescingInspector: the sums are exact while other threads create and release sources")
  func threads() {
    let inspector = CoalescingInspector(capacity: 3)
    onThreads(4) { _ in
      withCoalescingMonitor(inspector) {
        for number in 1...500 {
          let event = LazySimpleEvent(on: TestScheduler())
          for signals in 1...2 {
            for _ in 0..<signals { event.trigger() }
            event.flush()
          }
          // During the snapshot, the sources of other threads move from the list of active sources to the
          // list of ended sources.
          let signals = inspector.snapshot().total.signalCount
          if signals < 3 * number { Issue.record("\(signals) of at least \(3 * number) signals") }
        }
      }
    }
    let snapshot = inspector.snapshot()
    #expect(snapshot.count == 3)
    #expect(snapshot.forgottenCount == 1997)
    #expect(snapshot.total.signalCount == 6000)
    #expect(snapshot.total.deliveryCount == 4000)
  }
}
