import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// W2 and W4 for batches and iterators, in virtual time.
struct BatchMonitorTests {
  private struct Full: Error {}

  private let scheduler = TestScheduler()
  private let log = MonitorLog()

  private func watched<Object>(_ make: () throws -> Object) rethrows -> Object {
    try withCoalescingMonitor(log) { try make() }
  }

  /// The calls after the creation of the only source.
  private var entries: [String] { Array(log.entries.dropFirst()) }

  @Test("C9, W2: elements that a limit dropped are reported with one batch, retried or not")
  func droppedOnce() {
    let attempts = EventRecorder(on: scheduler)
    let loop = watched {
      BatchLoop<Int>(on: scheduler, keeping: .newest(2), retry: .constant(.milliseconds(10))) { _ in
        attempts.record()
        if attempts.count == 1 { throw Full() }
      } onError: { _, _ in
      }
    }
    loop.add(contentsOf: 0..<5)
    scheduler.at(30) { loop.add(5) }
    scheduler.run()
    #expect(log.records[0].deliveries.map(\.droppedCount) == [3, 0, 0])
    #expect(log.records[0].source.statistics.droppedCount == 3)
  }

  @Test("L9, W2: a batch counts the dropped elements, and a retried batch only the newly dropped ones")
  func batches() {
    let attempts = EventRecorder(on: scheduler)
    let loop = watched {
      BatchLoop<Int>(on: scheduler, keeping: .newest(2), retry: .constant(.milliseconds(10))) { _ in
        attempts.record()
        if attempts.count < 3 { throw Full() }
      } onError: { _, _ in
      }
    }
    for element in 0..<5 { loop.add(element) }
    scheduler.at(15) { loop.add(5) }
    scheduler.run()
    #expect(
      entries == [
        "5 since 0 at 0, turn, 3 dropped, Full", "0 at 10, retry, Full", "1 since 15 at 20, retry, 1 dropped",
      ])
    #expect(log.records[0].source.statistics.droppedCount == 4)
  }

  @Test("L5, W2: elements that are queued at a stop are unsent at the end", arguments: [false, true])
  func stopped(_ isHosted: Bool) throws {
    try scheduler.run {
      let loop = watched { BatchLoop<Int>(on: scheduler, policy: .audit(.seconds(5)), keeping: .newest(9)) }
      let host = isHosted ? Task { await loop.run { _ in } } : nil
      try await Task.sleep(for: .milliseconds(1), clock: scheduler.clock)
      loop.add(contentsOf: 0..<3)
      try await Task.sleep(for: .milliseconds(1), clock: scheduler.clock)
      await loop.stop()
      await host?.value
    }
    #expect(entries == ["ended 1"])
  }

  @Test("N2, W4: an iterator is a source, and one pass of its loop is a delivery")
  func iterators() throws {
    let event = LazySimpleEvent(on: scheduler, label: "title")
    try scheduler.run {
      let notifications = watched { event.notifications }
      event.trigger()
      try await Task.sleep(for: .milliseconds(1), clock: scheduler.clock)
      var iterator = withCoalescingMonitor(log) { notifications.makeAsyncIterator() }
      _ = await iterator.next()
      event.trigger()
      try await Task.sleep(for: .milliseconds(5), clock: scheduler.clock)
      event.trigger()
      try await Task.sleep(for: .milliseconds(5), clock: scheduler.clock)
      _ = await iterator.next()
      event.trigger()
      try await Task.sleep(for: .milliseconds(5), clock: scheduler.clock)
    }
    #expect(
      log.entries == [
        "created EventNotifications \"title\"", "1 since 1 at 1 for 10.0, turn",
        "2 since 1 at 11 for 5.0, turn",
        "ended 1",
      ])
    #expect(log.faults == [])
  }

  @Test("N1, W2: an iterator counts the notifications that came before its creation", arguments: [1, 3])
  func lateIterator(_ count: Int) throws {
    let event = SimpleEvent(label: "title")
    try scheduler.run {
      let notifications = watched { event.notifications }
      for _ in 0..<count { event.trigger() }
      var iterator = withCoalescingMonitor(log) { notifications.makeAsyncIterator() }
      _ = await iterator.next()
    }
    #expect(log.records[0].signals == count && log.records[0].source.statistics.deliveredSignalCount == count)
    #expect(log.faults == [])
  }
}
