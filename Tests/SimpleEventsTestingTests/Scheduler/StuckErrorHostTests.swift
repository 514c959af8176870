import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// S4: in a debug build, the error of a run that does not end names the loops that wait for a host.
@Suite(.enabled(if: isDebug)) struct StuckErrorHostTests {
  private struct Failure: Error {}

  private let scheduler = TestScheduler()

  @Test("S4: a loop that no task hosts is named, and is the first likely cause")
  func neverHosted() throws {
    let loop = RefreshLoop(on: scheduler, label: "index")
    let line: UInt = #line - 1
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        loop.request()
        await loop.settle()
      }
    }
    let delivery = try #require(error?.pending.first)
    #expect(delivery.kind == .delivery && delivery.label == "index" && delivery.site?.line == line)
    #expect(delivery.description.hasSuffix("is pending on this scheduler, without a host"))
    let cause = try #require(error?.likelyCauses.first)
    #expect(cause.hasPrefix("no task hosts RefreshLoop \"index\" (created at "))
    loop.cancel()
  }

  @Test(
    "S4: a loop that was pending before the run is named if a task waits for it", arguments: [false, true])
  func pendingBefore(_ hasKeys: Bool) throws {
    let (loop, keyed) = (RefreshLoop(on: scheduler), KeyedRefreshLoop<Int>(on: scheduler))
    if hasKeys { keyed.request(1) } else { loop.request() }
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run { await hasKeys ? keyed.settle() : loop.settle() }
    }
    let cause = try #require(error?.likelyCauses.first)
    #expect(cause.hasPrefix(hasKeys ? "no task hosts KeyedRefreshLoop<Int>" : "no task hosts RefreshLoop"))
    keyed.cancelAll()
    loop.cancel()
  }

  @Test("S4: in a run on the main thread, a known cause comes before a possible one")
  @MainActor func knownCauseOnMain() throws {
    let loop = RefreshLoop(on: scheduler, label: "index")
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run { try await loop.refresh() }
    }
    let causes = try #require(error).likelyCauses
    #expect(causes.first?.hasPrefix("no task hosts RefreshLoop \"index\"") == true)
    #expect(causes.contains("the body awaits the main actor, whose thread is inside the run: use runOnMain"))
    loop.cancel()
  }

  @Test("L7: a loop that had requests and no host until its release is named")
  func releasedWithoutHost() throws {
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run { [scheduler] in
        do {
          let loop = RefreshLoop(on: scheduler, label: "index")
          loop.request()
        }
        try await scheduler.clock.sleep(until: .distantFuture)
      }
    }
    let cause = try #require(error?.likelyCauses.first)
    #expect(cause.hasPrefix("RefreshLoop \"index\" (created at "))
    #expect(cause.contains("was released with work pending and never had a host"))
    // A later run does not name the loop.
    let later = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run { [scheduler] in try await scheduler.clock.sleep(until: .distantFuture) }
    }
    #expect(try !#require(later).likelyCauses.contains { $0.contains("index") })
  }

  @Test("S4: a task that has outlived the run that started it is not called a run")
  func taskOfEndedRun() throws {
    let loop = RefreshLoop(on: scheduler, label: "index")
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run { [scheduler] in
        let host = Task {
          await loop.run {
            Task {
              try await scheduler.clock.sleep(for: .seconds(1))
              try await loop.refresh()
            }
          }
        }
        try await loop.refresh()
        host.cancel()
        try await scheduler.clock.sleep(until: .distantFuture)
      }
    }
    let pending = error?.pending.map(\.description) ?? []
    #expect(
      pending.contains {
        $0.hasPrefix("a task that a run of RefreshLoop \"index\" has started waits in refresh() of ")
      })
    loop.cancel()
  }

  @Test("S4: the objects for whose signals tasks wait are likely causes, each once")
  func withoutSignal() throws {
    let event = LazySimpleEvent(on: scheduler, label: "change")
    let mailbox = SimpleMailbox<Int>(label: "found")
    let loop = RefreshLoop(on: scheduler, label: "index")
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        async let first = event.notifications.first { true }
        async let second = event.notifications.first { true }
        async let host: Void = loop.run {}
        async let value = mailbox.next()
        _ = await (first, second, host, value)
      }
    }
    let outside = try #require(error?.likelyCauses.firstIndex { $0.contains("a job from outside") })
    #expect(error?.likelyCauses.prefix(outside).contains { $0.hasPrefix("nothing triggers") } == true)
    let causes = error?.likelyCauses.filter { $0.contains(" any more: ") } ?? []
    #expect(causes.count == 3)
    #expect(causes.contains { $0.hasPrefix("nothing triggers LazySimpleEvent \"change\" (created at ") })
    #expect(causes.contains { $0.hasPrefix("nothing requests RefreshLoop \"index\" (created at ") })
    #expect(causes.contains { $0.hasPrefix("no value comes to SimpleMailbox<Int> \"found\" (created at ") })
  }

  @Test("S4: a loop whose host has thrown is named; a loop with a host or without work is not")
  func hostHasThrown() throws {
    let failing = BatchLoop<Int>(on: scheduler, keeping: .newest(1), label: "failing")
    let idle = RefreshLoop(on: scheduler)
    let hosted = RefreshLoop(on: scheduler, policy: .debounce(.seconds(1)))
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run { [scheduler] in
        async let host: Void = failing.run { _ in throw Failure() }
        failing.add(1)
        try? await host
        async let other: Void = hosted.run { try await scheduler.clock.sleep(until: .distantFuture) }
        hosted.request()
        failing.add(2)
        await failing.settle()
        try await other
      }
    }
    let withoutHost = error?.pending.filter { $0.description.hasSuffix("without a host") }
    #expect(withoutHost?.map(\.label) == ["failing"])
    #expect(error?.likelyCauses.count { $0.hasPrefix("no task hosts") } == 1)
    withExtendedLifetime(idle) {}
  }
}
