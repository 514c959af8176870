import Dispatch
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// S4: in a debug build, the error of a run that does not end names the keys that are pending.
@Suite(.enabled(if: isDebug)) struct StuckErrorKeyedTests {
  @Test("S4, K6: a keyed object that is pending is named with its first keys")
  func keys() throws {
    let scheduler = TestScheduler()
    let queue = DispatchQueue(label: "service")
    queue.suspend()
    let line: UInt = #line + 1
    let callback = KeyedCallback<String>(on: queue, policy: .audit(.seconds(100)), label: "saves") { _ in }
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        for key in ["a", "b", "c", "d"] { callback.schedule(key) }
        try await scheduler.clock.sleep(until: .distantFuture)
      }
    }
    let pending = try #require(error?.pending.first)
    #expect(pending.kind == .delivery && pending.label == "saves" && pending.site?.line == line)
    let state = "is pending on the queue \"service\", with 4 keys: a, b, c, …"
    #expect(pending.description.contains(state), "\(pending.description)")
    callback.cancelAll()
    queue.resume()
  }

  @Test("S4, K6: a keyed loop is named with its first running and its first pending keys")
  func keysOfLoop() throws {
    let scheduler = TestScheduler()
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let loop = KeyedRefreshLoop<String>(on: scheduler, maxConcurrentRuns: 1, label: "checks") { _ in
      for await _ in stream {}
    }
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        for key in ["c", "a", "b", "d", "e"] { loop.request(key) }
        await loop.settle()
      }
    }
    let pending = try #require(error).pending.filter { $0.label == "checks" }
    #expect(pending.map(\.kind) == [.loopRun, .delivery, .wait])
    #expect(pending[0].description.contains("is in progress, with 1 key: c"))
    #expect(pending[1].description.contains("is pending on this scheduler, with 4 keys: a, b, d, …"))
    continuation.finish()
    scheduler.run()
  }

  @Test("S4, K4: a keyed loop that makes as many runs as its limit allows is a likely cause")
  func fullHost() throws {
    let scheduler = TestScheduler()
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let loop = KeyedRefreshLoop<Int>(on: scheduler, label: "full")
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        let host = Task { await loop.run(maxConcurrentRuns: 1) { _ in for await _ in stream {} } }
        loop.request(1)
        loop.request(2)
        await loop.settle()
        await host.value
      }
    }
    let causes = try #require(error).likelyCauses
    #expect(
      causes.contains { $0.contains("\"full\"") && $0.contains("makes as many runs as its limit allows") })
    #expect(!causes.contains { $0.contains("nothing requests") })
    loop.close()
    continuation.finish()
    scheduler.run()
  }

  @Test("S4, K4: a keyed loop with a run in progress does not wait for a request")
  func running() throws {
    let scheduler = TestScheduler()
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let loop = KeyedRefreshLoop<Int>(on: scheduler)
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        let host = Task { await loop.run(maxConcurrentRuns: 4) { _ in for await _ in stream {} } }
        loop.request(1)
        await loop.finish()
        await host.value
      }
    }
    let causes = try #require(error).likelyCauses
    #expect(!causes.contains { $0.contains("nothing requests") || $0.contains("as many runs") })
    continuation.finish()
    scheduler.run()
  }

  @Test("S4, C8: a pending object whose window does not end is listed, and is a likely cause")
  func endlessWindows() throws {
    let scheduler = TestScheduler()
    let policy = CoalescingPolicy.debounce(.seconds(Int64.max))
    let loop = RefreshLoop(on: scheduler, policy: policy, label: "loop")
    let event = LazySimpleEvent(on: scheduler, policy: policy, label: "event")
    let callback = CoalescingCallback(on: scheduler, policy: policy, label: "callback") {}
    let keyed = KeyedCallback<Int>(on: scheduler, policy: policy, label: "keyed") { @Sendable _ in }
    let runs = KeyedRefreshLoop<Int>(on: scheduler, policy: policy, label: "runs")
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        loop.request()
        callback.schedule()
        event.trigger()
        keyed.schedule(1)
        runs.request(1)
        async let host: Void = loop.run {}
        async let keyedHost: Void = runs.run(maxConcurrentRuns: 1) { _ in }
        for await _ in event.notifications {}
        await host
        await keyedHost
      }
    }
    let causes = try #require(error).likelyCauses
    for label in ["loop", "event", "callback", "keyed", "runs"] {
      #expect(
        causes.contains { $0.contains("\"\(label)\"") && $0.contains("its window or retry does not end") })
    }
    #expect(!causes.contains { $0.contains("nothing ") })
    loop.cancel()
    runs.cancelAll()
    scheduler.run()
  }

  @Test("S4, L8: a loop whose retry never comes is a likely cause")
  func endlessRetry() throws {
    struct Failure: Error {}
    let scheduler = TestScheduler()
    let loop = RefreshLoop(on: scheduler, retry: .constant(.seconds(Int64.max)), label: "loop") {
      throw Failure()
    } onError: { _ in
    }
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        loop.request()
        await loop.settle()
      }
    }
    let causes = try #require(error).likelyCauses
    #expect(causes.contains { $0.contains("\"loop\"") && $0.contains("retry does not end") })
    loop.cancel()
    let keyed = KeyedRefreshLoop<Int>(
      on: scheduler, retry: .constant(.seconds(Int64.max)), label: "keyed"
    ) { _ in
      throw Failure()
    } onError: { _, _ in
    }
    let second = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        keyed.request(1)
        await keyed.settle()
      }
    }
    #expect(
      second?.likelyCauses.contains { $0.contains("\"keyed\"") && $0.contains("retry does not end") } == true)
    keyed.cancelAll()
  }

  @Test("S4, C8: a hosted loop whose window does not end is a likely cause")
  func endlessWindow() throws {
    let scheduler = TestScheduler()
    let loop = RefreshLoop(on: scheduler, policy: .audit(.seconds(Int64.max)), label: "late")
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        async let host: Void = loop.run {}
        loop.request()
        await loop.settle()
        await host
      }
    }
    let causes = try #require(error).likelyCauses
    #expect(
      causes.contains { $0.contains("\"late\"") && $0.contains("its window or retry does not end: flush it") }
    )
    loop.cancel()
    scheduler.run()
  }

  @Test("S4, S6: the remedy for an object on an actor names the clock of the actor's scheduler")
  func onActor() async throws {
    actor Owner {}
    let (scheduler, owner) = (TestScheduler(), Owner())
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        let event = LazySimpleEvent(on: .actor(owner), policy: .debounce(.seconds(3600)), label: "owned")
        event.trigger()
        for await _ in event.notifications {}
      }
    }
    let causes = try #require(error).likelyCauses
    let remedy = "or as the clock of .actor(_:clock:)"
    #expect(causes.contains { $0.contains("\"owned\"") && $0.contains(remedy) })
  }
}
