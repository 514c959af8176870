import SimpleEvents
import SimpleEventsMonitoring
import SimpleEventsTesting
import Synchronization
import TestSupport
import Testing

// The code of the article "Watching a running program". A line that ends in "hidden" is not part of the text.

struct LoggingMonitor: CoalescingMonitor {
  let log: @Sendable (String) -> Void

  func delivered(_ delivery: CoalescingDelivery) {
    let hasFailed = delivery.error != nil && !delivery.isCancelled
    guard delivery.duration > .milliseconds(100) || hasFailed else { return }
    log("\(delivery.source) took \(delivery.duration): \(delivery.error.map { "\($0)" } ?? "slow")")
  }

  func discarded(_ source: CoalescingSource, unsent: Int) {
    log("\(source) has discarded \(unsent) signals")
  }

  func ended(_ source: CoalescingSource, unsent: Int) {
    if unsent > 0 { log("\(source) has ended with \(unsent) signals that were not delivered") }
  }
}

final class MetricsMonitor: CoalescingMonitor {
  let deliveries = Atomic(0)
  let signals = Atomic(0)
  let lost = Atomic(0)
  let droppedElements = Atomic(0)

  func delivered(_ delivery: CoalescingDelivery) {
    deliveries.wrappingAdd(1, ordering: .relaxed)
    signals.wrappingAdd(delivery.signalCount, ordering: .relaxed)
    droppedElements.wrappingAdd(delivery.droppedCount, ordering: .relaxed)
  }

  func discarded(_ source: CoalescingSource, unsent: Int) { lost.wrappingAdd(unsent, ordering: .relaxed) }
  func ended(_ source: CoalescingSource, unsent: Int) { lost.wrappingAdd(unsent, ordering: .relaxed) }
}

nonisolated final class LogFile: Sendable {
  static let shared = LogFile()

  private let lines = CoalescingCollector<String>(
    policy: .audit(.seconds(1)), keeping: .newest(10_000)
  ) { lines in
    for line in lines { print(line) }
  }

  func add(_ line: String) { lines.add(line) }

  /// Called on the main queue, before the program ends.
  func close() { lines.flush() }
}

struct MonitorSnippets {
  @Test("Documentation: a monitor that logs writes slow deliveries and lost signals")
  func logging() {
    let (log, scheduler) = (Log(), TestScheduler())
    withCoalescingMonitor(LoggingMonitor { log.add($0) }) {
      var event: LazySimpleEvent? = LazySimpleEvent(on: scheduler, label: "title")
      let token = event?.addObserver { _ in }
      event?.trigger()
      scheduler.run()
      event?.trigger()
      event = nil
      withExtendedLifetime(token) {}
    }
    #expect(log.entries == ["LazySimpleEvent \"title\" has ended with 1 signals that were not delivered"])
  }

  @Test("Documentation: a monitor that counts has the totals of all objects")
  func metrics() {
    let scheduler = TestScheduler()
    let metrics = MetricsMonitor()
    withCoalescingMonitor(metrics) {
      let events = (0..<3).map { _ in LazySimpleEvent(on: scheduler) }
      for event in events + events { event.trigger() }
      scheduler.run()
      events[0].trigger()
      events[0].cancel()
      let collector = CoalescingCollector<Int>(on: scheduler, keeping: .newest(2)) { _ in }
      for element in 0..<5 { collector.add(element) }
      scheduler.run()
    }
    #expect(metrics.deliveries.load(ordering: .relaxed) == 4)
    #expect(metrics.signals.load(ordering: .relaxed) == 11)
    #expect(metrics.lost.load(ordering: .relaxed) == 1)
    #expect(metrics.droppedElements.load(ordering: .relaxed) == 3)
  }

  @Test("Documentation: the collector of a log is neither watched nor flagged")
  func collectingLog() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      await MainActor.run {
        do {  // hidden
          CoalescingSystem.bootstrap(LoggingMonitor { [file = LogFile.shared] line in file.add(line) })
        }  // hidden
        let scheduler = TestScheduler()
        var event: LazySimpleEvent? = LazySimpleEvent(on: scheduler, label: "title")
        event?.trigger()
        event = nil
        // The description of a watched collector states for how long the element has been pending.
        let lines = Mirror(reflecting: LogFile.shared).children.first!.value
        precondition("\(lines)" == "CoalescingCollector<String>, 1 element pending", "\(lines)")
        LogFile.shared.close()
      }
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output.contains("LazySimpleEvent \"title\" has ended with 1 signals that were not delivered"))
  }

  @Test("Documentation: a program installs several monitors")
  func installation() async {
    await #expect(processExitsWith: .success) {
      let log: @Sendable (String) -> Void = { _ in }
      do {  // hidden
        let inspector = CoalescingInspector()
        let trace = CoalescingTrace(capacity: 10_000)
        CoalescingSystem.bootstrap(MultiplexCoalescingMonitor(inspector, trace, LoggingMonitor(log: log)))
      }  // hidden
      let event = LazySimpleEvent(on: TestScheduler(), label: "seen")
      precondition(event.description == "LazySimpleEvent \"seen\", 0 observers")
    }
  }

  @Test("Documentation: ten changes give one notification, 100 ms after the last change")
  func coalesces() throws {
    let scheduler = TestScheduler()
    let trace = CoalescingTrace(capacity: 100)
    let event = withCoalescingMonitor(trace) {
      LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(100)), label: "title")
    }
    for _ in 0..<10 {
      event.trigger()
      scheduler.advance(by: .milliseconds(20))
    }
    scheduler.run()
    #expect(trace.deliveries.map(\.signalCount) == [10])
    #expect(trace.deliveries.map(\.latency) == [.milliseconds(280)])
    print(trace.timeline)
  }
}
