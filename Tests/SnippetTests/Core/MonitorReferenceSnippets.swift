import Foundation
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsMonitoring
import SimpleEventsTesting
import TestSupport
import Testing

// The code in the documentation of monitors. A line that ends in "hidden" is not part of the text.

struct SlowDeliveries: CoalescingMonitor {
  func delivered(_ delivery: CoalescingDelivery) {
    guard delivery.duration > .milliseconds(100) else { return }
    print("\(delivery.source) took \(delivery.duration) for \(delivery.signalCount) signals")
  }
}

struct MonitorReferenceSnippets {
  @Test("Documentation: a monitor writes a line for a slow delivery")
  func slowDeliveries() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let scheduler = TestScheduler()
      CoalescingSystem.bootstrap(SlowDeliveries())
      let loop = RefreshLoop(on: scheduler, label: "index") {
        try? await Task.sleep(for: .seconds(1), clock: scheduler.clock)
      }
      loop.request()
      scheduler.run()
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(text.contains("RefreshLoop \"index\" took 1.0 seconds for 1 signals"))
  }

  @Test("Documentation: an inspector and a trace are installed at the start")
  func installation() async {
    await #expect(processExitsWith: .success) {
      let inspector = CoalescingInspector()
      CoalescingSystem.bootstrap(inspector)
      // The objects that are created from here on are watched.
      let event = LazySimpleEvent(on: TestScheduler())
      precondition(inspector.snapshot().count == 1)
      withExtendedLifetime(event) {}
    }
    await #expect(processExitsWith: .success) {
      let inspector = CoalescingInspector()
      CoalescingSystem.bootstrap(inspector)
      // Later, for example on a signal or in a debugger:
      print(inspector)
    }
    await #expect(processExitsWith: .success) {
      let url = URL.temporaryDirectory.appending(component: "SimpleEvents.\(UUID()).json")
      let trace = CoalescingTrace(capacity: 10_000)
      CoalescingSystem.bootstrap(trace)
      // Later:
      try Data(trace.json.utf8).write(to: url)
      let written = try String(contentsOf: url, encoding: .utf8)
      precondition(written.contains("traceEvents"))
      try FileManager.default.removeItem(at: url)
    }
  }

  @Test("Documentation: a monitor watches the objects that a test creates")
  func scoped() {
    let scheduler = TestScheduler()
    let inspector = CoalescingInspector()
    withCoalescingMonitor(inspector) {
      let event = LazySimpleEvent(on: scheduler, label: "title")
      event.trigger()
      scheduler.run()
    }
    print(inspector)
    #expect(inspector.snapshot().map(\.statistics.deliveredSignalCount) == [1])
  }
}
