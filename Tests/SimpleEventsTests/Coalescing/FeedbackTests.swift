import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// C11: an object that keeps signalling itself is flagged.
struct FeedbackTests {
  private let scheduler = TestScheduler()
  private let misuses = MisuseLog()
  private let expected: [Misuse.Kind] = isDebug ? [.feedback] : []

  @Test(
    "C11: an event that is triggered by its own observer 10,000 times in a row is flagged once",
    arguments: [
      (CoalescingPolicy.nextTurn, 20_100), (.debounce(.milliseconds(1)), 10_100),
      (.throttle(.milliseconds(1)), 10_100),
    ])
  func event(_ policy: CoalescingPolicy, _ last: Int) {
    let line: UInt = #line + 1
    let event = LazySimpleEvent(on: scheduler, policy: policy, label: "loop", misuse: misuses.handler)
    var calls = 0
    let token = event.addObserver { [unowned event] _ in
      calls += 1
      event.trigger()
    }
    event.trigger()
    while calls < 10_000 { scheduler.run(limit: 1) }
    #expect(misuses.kinds == [], "the first delivery was caused from outside")
    while calls < last { scheduler.run(limit: 1) }
    #expect(misuses.kinds == expected)
    if isDebug {
      #expect(misuses.all[0].line == line)
      #expect(misuses.messages[0].contains("LazySimpleEvent \"loop\" has delivered 10000 times in a row"))
    }
    withExtendedLifetime(token) {}
  }

  @Test("C11: a callback, a collector and a group observer that signal themselves are flagged")
  func others() {
    let callback = Guarded<CoalescingCallback?>(nil)
    _ = callback.exchange(
      CoalescingCallback(on: scheduler, misuse: misuses.handler) { callback.withLock { $0 }?.schedule() })
    let collector = Guarded<CoalescingCollector<Int>?>(nil)
    _ = collector.exchange(
      CoalescingCollector(on: scheduler, keeping: .newest(1), misuse: misuses.handler) { batch in
        collector.withLock { $0 }?.add(batch[0])
      })
    let source = SimpleEvent()
    let group = SimpleEventGroupObserver(of: source, on: scheduler, misuse: misuses.handler) { _ in
      source.trigger()
    }
    callback.withLock { $0 }?.schedule()
    collector.withLock { $0 }?.add(1)
    source.trigger()
    scheduler.run(limit: 30_100)
    #expect(misuses.kinds == expected + expected + expected)
    _ = callback.exchange(nil)
    _ = collector.exchange(nil)
    group.remove()
  }

  @Test("C11: a loop whose body requests each run is flagged")
  func loop() throws {
    let runs = Guarded(0)
    let loop = Guarded<RefreshLoop?>(nil)
    try scheduler.run {
      let made = RefreshLoop(on: scheduler, misuse: misuses.handler) {
        let count = runs.withLock { count -> Int in
          count += 1
          return count
        }
        if count < 10_050 { loop.withLock { $0 }?.request() }
      }
      _ = loop.exchange(made)
      made.request()
      await made.settle()
    }
    #expect(runs.withLock { $0 } == 10_050)
    #expect(misuses.kinds == expected)
    _ = loop.exchange(nil)
  }

  @Test("C11: a delivery that is caused from outside ends the series")
  func outside() {
    let event = LazySimpleEvent(on: scheduler, misuse: misuses.handler)
    var calls = 0
    let token = event.addObserver { [unowned event] _ in
      calls += 1
      if calls % 9_999 != 0 { event.trigger() }
    }
    for _ in 0..<2 {
      event.trigger()
      scheduler.run()
    }
    #expect(calls == 2 * 9_999)
    #expect(misuses.kinds == [])
    withExtendedLifetime(token) {}
  }

  @Test("C11: signals of another thread during each delivery do not count as feedback")
  func otherThread() {
    let callback = Guarded<CoalescingCallback?>(nil)
    var calls = 0
    _ = callback.exchange(
      CoalescingCallback(on: scheduler, misuse: misuses.handler) {
        calls += 1
        guard calls < 20_000 else { return }
        if calls % 5000 != 0 {
          callback.withLock { $0 }?.schedule()
        } else {
          onThreads(1) { _ in callback.withLock { $0 }?.schedule() }
        }
      })
    callback.withLock { $0 }?.schedule()
    scheduler.run()
    #expect(calls == 20_000)
    #expect(misuses.kinds == [])
    _ = callback.exchange(nil)
  }

  @Test("C11: a delivery that is cancelled inside and then caused outside does not count as feedback")
  func cancelledInside() {
    let event = LazySimpleEvent(on: scheduler, misuse: misuses.handler)
    let token = event.addObserver { [unowned event] _ in
      event.trigger()
      event.cancel()
    }
    for _ in 0..<10_010 {
      event.trigger()
      scheduler.run()
    }
    #expect(misuses.kinds == [])
    withExtendedLifetime(token) {}
  }

  @Test("C11: requests of a task that outlives the run do not count as feedback")
  func unstructuredTask() throws {
    let loop = Guarded<RefreshLoop?>(nil)
    let hasTask = Flag()
    let requests = Guarded(0)
    try scheduler.run { [scheduler] in
      let made = RefreshLoop(on: scheduler, misuse: misuses.handler) {
        guard !hasTask.isSet else { return }
        hasTask.set()
        Task { @Sendable in
          for _ in 0..<10_050 {
            try await scheduler.clock.sleep(for: .milliseconds(1))
            requests.withLock { $0 += 1 }
            loop.withLock { $0 }?.request()
          }
        }
      }
      _ = loop.exchange(made)
      made.request()
      try await scheduler.clock.sleep(for: .seconds(11))
    }
    #expect(requests.withLock { $0 } == 10_050)
    #expect(misuses.kinds == [])
    _ = loop.exchange(nil)
  }
}
