import SimpleEvents
import SimpleEventsMonitoring
import SimpleEventsTesting
import TestSupport
import Testing

struct InspectorDescriptionTests {
  private struct Failure: Error {}

  private let scheduler = TestScheduler()

  @Test("CoalescingInspector: the text of an inspector without sources is one line")
  func empty() {
    #expect("\(CoalescingInspector())" == "0 sources, 0 ended: 0 signals, 0 deliveries")
  }

  @Test("CoalescingInspector: the text has a table for each question")
  func tables() {
    let inspector = CoalescingInspector(capacity: 0)
    let objects = withCoalescingMonitor(inspector) { makeObjects() }
    let (title, index, log) = objects
    withCoalescingMonitor(inspector) {
      let forgotten = LazySimpleEvent(on: scheduler, label: "forgotten")
      forgotten.trigger()
      forgotten.flush()
    }
    for _ in 1...6 {
      title.trigger()
      scheduler.advance(by: .milliseconds(10))
    }
    scheduler.advance(by: .milliseconds(100))
    for number in 1...5 { log.add(number) }
    scheduler.run()
    index.schedule()
    index.cancel()
    index.schedule()
    index.schedule()
    scheduler.advance(by: .milliseconds(1_200))
    title.trigger()
    let expected = """
      4 sources, 1 ended: 16 signals, 3 deliveries
      not shown: 1 ended source, 1 signal, 1 delivery

      now                         pending    for  running  for  policy
      CoalescingCallback "index"        2  1.2 s        -    -  audit 1 min on TestScheduler
      LazySimpleEvent "title"           1    0 s        -    -  debounce 100 ms on TestScheduler

      busiest                         deliveries  signals
      LazySimpleEvent "title"                  1        7
      CoalescingCollector<Int> "log"           1        5
      CoalescingCallback "index"               0        3

      slowest                  longest  average  longest wait  average wait
      LazySimpleEvent "title"      0 s      0 s        150 ms        150 ms

      most coalesced                  signals per delivery
      LazySimpleEvent "title"                          6.0
      CoalescingCollector<Int> "log"                   5.0

      most lost                       discarded signals  dropped elements
      CoalescingCollector<Int> "log"                  0                 3
      CoalescingCallback "index"                      1                 0
      """
    #expect("\(inspector)" == expected, "\n\(inspector)")
  }

  private func makeObjects() -> (LazySimpleEvent, CoalescingCallback, CoalescingCollector<Int>) {
    let title = LazySimpleEvent(on: scheduler, policy: .debounce(.milliseconds(100)), label: "title")
    let index = CoalescingCallback(on: scheduler, policy: .audit(.seconds(60)), label: "index") {
      @Sendable in
    }
    let log = CoalescingCollector<Int>(on: scheduler, keeping: .newest(2), label: "log") { @Sendable _ in }
    return (title, index, log)
  }

  @Test("CoalescingInspector: a table has at most ten lines, and states how many were left out")
  func limit() {
    let inspector = CoalescingInspector()
    let events = withCoalescingMonitor(inspector) {
      (1...12).map { LazySimpleEvent(on: scheduler, label: "e\($0)") }
    }
    for (index, event) in events.enumerated() {
      for _ in 0...index {
        event.trigger()
        event.flush()
      }
    }
    let table = "\(inspector)".split(separator: "\n\n")[1].split(separator: "\n")
    #expect(table.count == 12)
    #expect(table[1] == #"LazySimpleEvent "e12"          12       12"#)
    #expect(table[10] == #"LazySimpleEvent "e3"            3        3"#)
    #expect(table[11] == "and 2 more")
  }

  @Test("CoalescingInspector: sources of the same name are numbered in the text")
  func sameNames() {
    let inspector = CoalescingInspector()
    let events = withCoalescingMonitor(inspector) {
      (1...2).map { _ in LazySimpleEvent(on: scheduler, label: "a") }
    }
    for event in events { event.trigger() }
    scheduler.run()
    let text = "\(inspector)"
    for entry in inspector.snapshot() { #expect(text.contains("LazySimpleEvent \"a\" #\(entry.id) ")) }
  }
}
