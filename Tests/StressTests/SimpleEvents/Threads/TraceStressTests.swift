import SimpleEvents
import SimpleEventsMonitoring
import SimpleEventsTesting
import TestSupport
import Testing

struct TraceStressTests {
  @Test("CoalescingTrace: records the deliveries of several threads while other threads read them")
  func threads() {
    let trace = CoalescingTrace(capacity: 10)
    onThreads(4) { _ in
      let event = withCoalescingMonitor(trace) { LazySimpleEvent(on: TestScheduler()) }
      for _ in 0..<2000 {
        event.trigger()
        event.flush()
        let count = trace.deliveries.count
        if count == 0 || count > 10 { Issue.record("\(count) deliveries") }
      }
    }
    #expect(trace.deliveries.count == 10)
    #expect(trace.overwrittenCount == 7990)
  }
}
