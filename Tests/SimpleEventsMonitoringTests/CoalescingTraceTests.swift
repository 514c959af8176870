import SimpleEvents
import SimpleEventsMonitoring
import SimpleEventsTesting
import TestSupport
import Testing

struct CoalescingTraceTests {
  @Test("CoalescingTrace: keeps the latest deliveries, oldest first, and counts the others", arguments: 0...7)
  func ring(_ capacity: Int) {
    let trace = CoalescingTrace(capacity: capacity)
    let event = withCoalescingMonitor(trace) { SimpleEvent() }
    for count in 1...5 {
      event.coalescingNotifications {
        for _ in 1...count { event.trigger() }
      }
    }
    let kept = min(5, max(1, capacity))
    #expect(trace.deliveries.map(\.signals) == (1...5).suffix(kept).map { $0 })
    #expect(trace.overwrittenCount == 5 - kept)
  }

  @Test("CoalescingTrace: releases a delivery that is overwritten, with its source")
  func memory() {
    let trace = CoalescingTrace(capacity: 1)
    weak var source: CoalescingSource?
    withCoalescingMonitor(trace) {
      SimpleEvent(label: "first").trigger()
      source = trace.deliveries.first?.source
      #expect(source?.label == "first")
      SimpleEvent(label: "second").trigger()
    }
    #expect(source == nil)
    #expect(trace.deliveries.map(\.source.label) == ["second"])
  }
}
