import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

// The snippets of the article "Recipes" in which a task waits.

nonisolated(nonsending) func refresh(
  after events: [any SimpleEventObservable], atLeastEvery interval: Duration,
  on scheduler: some EventScheduler, _ refresh: () async -> Void
) async {
  let (tick, clock) = (LazySimpleEvent(on: scheduler), SchedulerClock(scheduler))
  let ticking = Task {
    while true {
      try await clock.sleep(for: interval)
      tick.trigger()
    }
  }
  let change = SimpleEventProxy(of: events + [tick], on: scheduler)
  for await _ in change.notifications { await refresh() }
  ticking.cancel()
  change.remove()
}

nonisolated(nonsending) func waitForChange(
  of events: [any SimpleEventObservable], timeout: Duration, on scheduler: some EventScheduler
) async -> Bool {
  let change = SimpleEventProxy(of: events, on: scheduler)
  defer { change.remove() }
  let (changes, clock) = (change.notifications, SchedulerClock(scheduler))
  return await withTaskGroup { group in
    group.addTask {
      for await _ in changes { return true }
      return false
    }
    group.addTask {
      try? await clock.sleep(for: timeout)
      return false
    }
    defer { group.cancelAll() }
    return await group.next() ?? false
  }
}

nonisolated(nonsending) func waitForChanges(
  ofAll events: [any SimpleEventObservable], timeout: Duration, on scheduler: some EventScheduler
) async -> Bool {
  let (changes, clock) = (events.map { $0.notifications }, SchedulerClock(scheduler))
  return await withTaskGroup { group in
    group.addTask {
      for change in changes {
        guard await change.first(where: { true }) != nil else { return false }
      }
      return true
    }
    group.addTask {
      try? await clock.sleep(for: timeout)
      return false
    }
    defer { group.cancelAll() }
    return await group.next() ?? false
  }
}

struct RecipeWaitSnippets {
  private let scheduler: TestScheduler = TestScheduler()
  private let log: Log = Log()

  @Test("Documentation: a wait for several events ends with the first event, or with its timeout")
  func timeout() throws {
    let results = try scheduler.run { [scheduler] in
      let events = [LazySimpleEvent(on: scheduler), LazySimpleEvent(on: scheduler)]
      let timedOut = await waitForChange(of: events, timeout: .seconds(5), on: scheduler)
      scheduler.schedule(at: scheduler.now.advanced(by: .seconds(1))) { events[1].trigger() }
      let changed = await waitForChange(of: events, timeout: .seconds(5), on: scheduler)
      return [timedOut, changed]
    }
    #expect(results == [false, true])
    #expect(scheduler.elapsed == .seconds(6))
  }

  @Test("Documentation: a wait for all events ends with the last event, in any order, or with its timeout")
  func all() throws {
    let results = try scheduler.run { [scheduler] in
      let events = (0..<3).map { _ in LazySimpleEvent(on: scheduler) }
      func trigger(_ numbers: [Int]) {
        for (second, number) in numbers.enumerated() {
          scheduler.schedule(at: scheduler.now.advanced(by: .seconds(second + 1))) {
            events[number].trigger()
          }
        }
      }
      trigger([2, 0, 1])
      let changed = await waitForChanges(ofAll: events, timeout: .seconds(5), on: scheduler)
      let elapsed = scheduler.elapsed
      trigger([0, 1])
      let timedOut = await waitForChanges(ofAll: events, timeout: .seconds(5), on: scheduler)
      return (changed, elapsed, timedOut)
    }
    #expect(results == (true, .seconds(3), false))
    #expect(scheduler.elapsed == .seconds(8))
  }

  @Test("Documentation: a loop refreshes after each change, and at least once in an interval")
  func interval() throws {
    try scheduler.run { [scheduler, log] in
      let events = [LazySimpleEvent(on: scheduler), LazySimpleEvent(on: scheduler)]
      let refreshing = Task {
        await refresh(after: events, atLeastEvery: .seconds(10), on: scheduler) {
          log.add("\(scheduler.milliseconds)")
          try? await scheduler.clock.sleep(for: .seconds(2))
        }
      }
      for second in [4, 5, 6] {
        scheduler.schedule(at: scheduler.now.advanced(by: .seconds(second))) { events[1].trigger() }
      }
      try await scheduler.clock.sleep(for: .seconds(25))
      refreshing.cancel()
      await refreshing.value
    }
    #expect(log.entries == ["4000", "6000", "10000", "20000"])
  }

  @MainActor
  @Test("Documentation: code of the main actor waits for events that are not `Sendable`")
  func mainActor() async throws {
    let scheduler = TestScheduler()
    var refreshes = 0
    try await scheduler.runOnMain {
      let events: [any SimpleEventObservable] = [LazySimpleEvent(on: scheduler)]
      let refreshing = Task {
        await refresh(after: events, atLeastEvery: .seconds(10), on: scheduler) { refreshes += 1 }
      }
      try await scheduler.clock.sleep(for: .seconds(25))
      refreshing.cancel()
      await refreshing.value
      let changed = await waitForChange(of: events, timeout: .seconds(5), on: scheduler)
      #expect(!changed)
    }
    #expect(refreshes == 2)
    #expect(scheduler.elapsed == .seconds(30))
  }
}
