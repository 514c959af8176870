import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// N1 to N4 with tasks, in virtual time.
struct NotificationsTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  private func hasObserver(_ event: LazySimpleEvent) -> Bool { event.debugDescription.contains("block") }

  @Test(
    "N1: reading the property observes the event, and a later iterator begins with what was sent since"
  )
  func registration() throws {
    let event = LazySimpleEvent(on: scheduler)
    let notifications = event.notifications
    #expect(hasObserver(event))
    event.trigger()
    scheduler.advance()
    try scheduler.run {
      var iterator = notifications.makeAsyncIterator()
      #expect(await iterator.next() != nil)
      event.trigger()
      event.trigger()
      #expect(await iterator.next() != nil)
      var later = notifications.makeAsyncIterator()
      #expect(await later.next() != nil)
    }
  }

  @Test("N2: triggers between two calls of next count as one notification, and none is lost")
  func slowLoop() throws {
    let event = LazySimpleEvent(on: scheduler)
    let times = try scheduler.run { [scheduler] in
      let task = Task {
        var times: [Int] = []
        for await _ in event.notifications {
          times.append(scheduler.milliseconds)
          try await scheduler.clock.sleep(for: .milliseconds(10))
          if times.count == 4 { break }
        }
        return times
      }
      for millisecond in [1, 2, 3, 12, 25, 60] {
        try await scheduler.clock.sleep(until: .ms(millisecond))
        event.trigger()
      }
      return try await task.value
    }
    #expect(times == [1, 11, 21, 31])
  }

  @Test("N2: tasks that iterate over one sequence receive all notifications, each with its own iterator")
  func severalTasks() throws {
    let event = LazySimpleEvent(on: scheduler)
    let values = try scheduler.run { [scheduler] in
      let notifications = event.notifications
      let tasks = (0..<3).map { _ in
        Task {
          var count = 0
          for await _ in notifications { count += 1 }
          return count
        }
      }
      for _ in 0..<5 {
        try await scheduler.clock.sleep(for: .milliseconds(1))
        event.trigger()
      }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      var values: [Int] = []
      for task in tasks {
        task.cancel()
        values.append(await task.value)
      }
      return values
    }
    #expect(values == [5, 5, 5])
  }

  @Test("N3: cancelling a task that waits ends its loop and removes the observer immediately")
  func cancellation() throws {
    let event = LazySimpleEvent(on: scheduler)
    try scheduler.run { [scheduler, log] in
      let task = Task {
        for await _ in event.notifications { log.add("notified") }
        log.add("ended")
      }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      #expect(hasObserver(event))
      task.cancel()
      #expect(!hasObserver(event))
      #expect(log.entries == [])
      await task.value
      #expect(log.entries == ["ended"])
    }
  }

  @Test(
    "N3: a cancelled task does not get the pending notification, and leaving a loop removes the observer")
  func leaving() throws {
    let event = LazySimpleEvent(on: scheduler)
    try scheduler.run { [scheduler, log] in
      let task = Task {
        for await _ in event.notifications {
          log.add("notified")
          try? await scheduler.clock.sleep(for: .milliseconds(10))
        }
      }
      for _ in 0..<2 {
        try await scheduler.clock.sleep(for: .milliseconds(1))
        event.trigger()
      }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      task.cancel()
      await task.value
      #expect(log.entries == ["notified"])
      #expect(!hasObserver(event))
      event.trigger()
      for await _ in event.notifications { break }
      #expect(!hasObserver(event))
    }
  }

  @Test("N3: the end of the event delivers the pending notification, and then ends the loop")
  func endOfEvent() throws {
    let count = try scheduler.run { [scheduler] in
      var event: LazySimpleEvent? = LazySimpleEvent(on: scheduler)
      weak let weakEvent = event
      let notifications = event!.notifications
      let task = Task {
        var count = 0
        for await _ in notifications {
          count += 1
          try? await scheduler.clock.sleep(for: .milliseconds(10))
        }
        return count
      }
      for _ in 0..<3 {
        try await scheduler.clock.sleep(for: .milliseconds(1))
        event?.trigger()
      }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      event = nil
      #expect(weakEvent == nil)
      return await task.value
    }
    #expect(count == 2)
  }

  @Test("N4: next stays on the actor of its caller")
  func isolation() throws {
    let event = LazySimpleEvent(on: scheduler)
    let reader = Reader()
    let count = try scheduler.run { [scheduler] in
      let task = Task { await reader.read(event.notifications) }
      for _ in 0..<3 {
        try await scheduler.clock.sleep(for: .milliseconds(1))
        event.trigger()
      }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      task.cancel()
      await task.value
      return await reader.count
    }
    #expect(count == 3)
  }

  private actor Reader {
    private(set) var count = 0

    func read(_ notifications: EventNotifications) async {
      for await _ in notifications {
        assertIsolated()
        count += 1
      }
      assertIsolated()
    }
  }

  @Test("N4: two tasks at one iterator are flagged, and a release build ends the wait of the first task")
  func sharedIterator() throws {
    let misuses = MisuseLog()
    let event = LazySimpleEvent(on: scheduler, label: "model", misuse: misuses.handler)
    let shared = SharedIterator(event.notifications)
    try scheduler.run { [scheduler, log] in
      let tasks = (0..<2).map { number in
        Task {
          while await shared.next() { log.add("\(number)") }
          log.add("\(number) ended")
        }
      }
      try await scheduler.clock.sleep(for: .milliseconds(1))
      event.trigger()
      try await scheduler.clock.sleep(for: .milliseconds(1))
      tasks[1].cancel()
      for task in tasks { await task.value }
    }
    #expect(log.entries == ["0 ended", "1", "1 ended"])
    #expect(misuses.kinds == [.sharedIterator])
    #expect(misuses.messages.first?.contains("LazySimpleEvent \"model\"") == true)
  }

  @Test("N4: the first task of two takes no notification that comes before it is resumed")
  func displacedTask() throws {
    let misuses = MisuseLog()
    let event = LazySimpleEvent(on: scheduler, misuse: misuses.handler)
    let shared = SharedIterator(event.notifications)
    try scheduler.run { [scheduler] in
      async let first = shared.next()
      try await scheduler.clock.sleep(for: .milliseconds(1))
      async let second = shared.next()
      let sender = Task {
        event.trigger()
        event.flush()
      }
      await sender.value
      #expect(await first == false)
      #expect(await second == true)
    }
    #expect(misuses.kinds == [.sharedIterator])
  }

  /// An actor whose method copies its iterator. All copies refer to the same iterator.
  private actor SharedIterator {
    private let iterator: EventNotifications.Iterator
    init(_ notifications: EventNotifications) { iterator = notifications.makeAsyncIterator() }
    func next() async -> Bool {
      var iterator = iterator
      return await iterator.next() != nil
    }
  }

  @Test("N1 to N3: all runs of tasks that read, wait and are cancelled have the same steps")
  func exactness() throws {
    var first: [String]?
    for _ in 0..<Stress.rounds(2000) {
      let entries = try course()
      if first == nil { first = entries }
      #expect(entries == first)
    }
    #expect(
      first == [
        "slow 1", "quick 1", "quick 2", "quick 3", "slow 6", "quick ended", "late 8", "slow 11", "late 12",
        "late ended", "slow 16", "slow ended",
      ])
  }

  private func course() throws -> [String] {
    let scheduler = TestScheduler()
    let log = Log()
    try scheduler.run {
      var event: LazySimpleEvent? = LazySimpleEvent(on: scheduler)
      let notifications = event!.notifications
      @Sendable func read(_ name: String, pause: Int) -> Task<Void, Never> {
        Task {
          for await _ in notifications {
            log.add("\(name) \(scheduler.milliseconds)")
            if pause > 0 { try? await scheduler.clock.sleep(for: .milliseconds(pause)) }
          }
          log.add("\(name) ended")
        }
      }
      let tasks = (read("slow", pause: 5), read("quick", pause: 0))
      for millisecond in [1, 2, 3, 7] {
        try await scheduler.clock.sleep(until: .ms(millisecond))
        event?.trigger()
        event?.trigger()
      }
      try await scheduler.clock.sleep(for: .zero)
      tasks.1.cancel()
      await tasks.1.value
      try await scheduler.clock.sleep(until: .ms(8))
      let late = read("late", pause: 0)
      try await scheduler.clock.sleep(until: .ms(12))
      event?.trigger()
      try await scheduler.clock.sleep(until: .ms(13))
      event = nil
      await late.value
      await tasks.0.value
    }
    return log.entries
  }
}
