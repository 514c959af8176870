import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L2, L3, L5 and L7: loops whose bodies are isolated to the main actor, while the main actor is busy.
struct RefreshActorTests {
  private let scheduler: TestScheduler = TestScheduler()
  private let log: Log = Log()

  @MainActor private func makeLoop(whenBusy: RefreshLoop.WhenBusy = .rerun) -> RefreshLoop {
    RefreshLoop(on: scheduler, whenBusy: whenBusy) { [log] in log.add("run") }
  }

  @MainActor
  @Test(
    "L2, L3: requests that come while the actor is busy cause one run",
    arguments: [
      RefreshLoop.WhenBusy.rerun, .restart, .ignore,
    ])
  func oneRun(whenBusy: RefreshLoop.WhenBusy) async throws {
    try await scheduler.runOnMain { [scheduler] in
      let loop = makeLoop(whenBusy: whenBusy)
      for _ in 0..<3 {
        loop.request()
        scheduler.advance()
        #expect(!loop.isRunning && loop.isPending)
      }
      #expect(await loop.settle())
      #expect(log.entries == ["run"])
    }
  }

  @MainActor
  @Test("L5, C7: a run that was due while the actor was busy is dropped", arguments: [true, false])
  func dropped(isStopped: Bool) async throws {
    try await scheduler.runOnMain { [scheduler] in
      let loop = makeLoop()
      loop.request()
      scheduler.advance()
      if isStopped { await loop.stop() } else { loop.cancel() }
      #expect(await loop.settle())
      #expect(log.entries == [])
    }
  }

  @MainActor
  @Test(
    "L7: a host that is cancelled while its body's actor is busy leaves the request to the next host")
  func cancelledHost() async throws {
    try await scheduler.runOnMain { [scheduler, log] in
      let loop = RefreshLoop(on: scheduler)
      let first = Task { await loop.run { log.add("first") } }
      try await scheduler.clock.sleep(for: .seconds(1))
      loop.request()
      scheduler.advance()
      first.cancel()
      await first.value
      #expect(log.entries == [])
      #expect(loop.isPending)
      let second = Task { await loop.run { log.add("second") } }
      await loop.finish()
      await second.value
      #expect(log.entries == ["second"])
    }
  }
}
