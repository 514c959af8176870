import SimpleEvents
import SimpleEventsTesting
import TestSupport

extension MisuseScenario {
  /// Waits with one iterator in two tasks.
  func misuseNotifications() {
    let scheduler = TestScheduler()
    site(#line + 1)
    let event = LazySimpleEvent(on: scheduler, label: "shared")
    let reader = Reader(event.notifications)
    let log = Log()
    try! scheduler.run {
      let tasks = (0..<2).map { number in
        Task { log.add("\(number) \(await reader.next())") }
      }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      event.trigger()
      for task in tasks { await task.value }
    }
    require(log.entries == ["0 false", "1 true"])
  }

  /// An actor whose method copies its iterator. All copies refer to the same iterator.
  private actor Reader {
    private let iterator: EventNotifications.Iterator
    init(_ notifications: EventNotifications) { iterator = notifications.makeAsyncIterator() }
    func next() async -> Bool {
      var iterator = iterator
      return await iterator.next() != nil
    }
  }
}
