import SimpleEvents
import SimpleEventsMonitoring
import SimpleEventsTesting
import TestSupport
import Testing

struct CoalescingTraceTests {
  @Test("CoalescingTrace: keeps the latest deliveries, oldest first, and counts the others", arguments: 0...7)
  func ring(_ capacity: Int) {
    let trace = CoalescingTrace(capacity: capacity)
    let event = withCoalescingMonitor(trace) { LazySimpleEvent(on: TestScheduler()) }
    for count in 1...5 {
      for _ in 1...count { event.trigger() }
      event.flush()
    }
    let kept = min(5, max(1, capacity))
    #expect(trace.deliveries.map(\.signalCount) == (1...5).suffix(kept).map { $0 })
    #expect(trace.overwrittenCount == 5 - kept)
  }

  @Test("CoalescingTrace: releases a delivery that is overwritten, and its source")
  func memory() {
    let trace = CoalescingTrace(capacity: 1)
    weak var source: CoalescingSource?
    withCoalescingMonitor(trace) {
      deliver("first")
      source = trace.deliveries.first?.source
      #expect(source?.label == "first")
      deliver("second")
    }
    #expect(source == nil)
    #expect(trace.deliveries.map(\.source.label) == ["second"])
  }

  /// Makes one delivery by an object with a label.
  private func deliver(_ label: String) {
    let event = LazySimpleEvent(on: TestScheduler(), label: label)
    event.trigger()
    event.flush()
  }
}
