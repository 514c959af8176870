import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// L6: a main-actor body that has to wait until an advance on the main thread returns is flagged in debug
/// builds.
struct MainActorBodyTests {
  private let misuses: MisuseLog
  private let scheduler = TestScheduler()
  private let log = Log()

  init() { misuses = MisuseLog() }

  private func expected(_ kinds: Misuse.Kind...) -> [Misuse.Kind] { isDebug ? kinds : [] }

  @MainActor private func makeLoop() -> RefreshLoop {
    RefreshLoop(on: scheduler, label: "view", misuse: misuses.handler) { @MainActor [log] in log.add("body") }
  }

  @Test(
    "L6: a main-actor body under advance on the main thread is flagged, with the loop and the remedy")
  @MainActor func advance() async throws {
    let loop = makeLoop()
    loop.request()
    scheduler.advance()
    #expect(log.entries == [])
    #expect(misuses.kinds == expected(.mainActorBlocked))
    if isDebug {
      let misuse = try #require(misuses.all.first)
      #expect(misuse.message.contains("RefreshLoop \"view\"") && misuse.message.contains("runOnMain"))
      #expect(misuse.fileID == "SimpleEventsTestingStressTests/MainActorBodyTests.swift")
    }
    try await scheduler.runOnMain { await loop.settle() }
    #expect(log.entries == ["body"])
  }

  @Test("L6: a receiver of errors that is isolated to the main actor is flagged as well")
  @MainActor func onError() async throws {
    let loop = RefreshLoop(on: scheduler, misuse: misuses.handler) { @concurrent in
      throw CancellationError()
    } onError: { @MainActor [log] _ in
      log.add("error")
    }
    loop.request()
    scheduler.advance()
    #expect(misuses.kinds == expected(.mainActorBlocked))
    try await scheduler.runOnMain { await loop.settle() }
    #expect(log.entries == ["error"])
  }

  @Test("L6: a main-actor body in a run on the main thread is flagged")
  @MainActor func run() async throws {
    let loop = makeLoop()
    try scheduler.run { [scheduler] in
      loop.request()
      try await scheduler.clock.sleep(for: .milliseconds(1))
    }
    #expect(log.entries == [])
    #expect(misuses.kinds == expected(.mainActorBlocked))
    try await scheduler.runOnMain { await loop.settle() }
  }

  @Test("L6: a main-actor body under runOnMain is not flagged")
  @MainActor func runOnMain() async throws {
    let loop = makeLoop()
    try await scheduler.runOnMain { [scheduler] in
      loop.request()
      await loop.settle()
      loop.request()
      scheduler.advance()
      await loop.settle()
    }
    #expect(log.entries == ["body", "body"])
    #expect(misuses.kinds == [])
  }

  @Test("L6: a run under runOnMain holds the main thread until it ends", .enabled(if: isDebug))
  @MainActor func runInside() async throws {
    try await scheduler.runOnMain { [scheduler] in
      let log = try #require(PendingLog.inherited)
      #expect(!log.keepsThread)
      try scheduler.run { #expect(log.keepsThread) }
      #expect(!log.keepsThread)
    }
  }

  @Test(
    "L6: under advance on the main thread, bodies without isolation or of other actors are not flagged"
  )
  @MainActor func otherBodies() {
    actor Service { func work(_ log: Log) { log.add("service") } }
    let service = Service()
    let free = RefreshLoop(on: scheduler, misuse: misuses.handler) { @concurrent [log] in log.add("free") }
    let other = RefreshLoop(on: scheduler, misuse: misuses.handler) { @concurrent [log] in
      await service.work(log)
    }
    free.request()
    other.request()
    scheduler.advance()
    #expect(log.entries == ["free", "service"])
    #expect(misuses.kinds == [])
  }

  @Test("L6: a main-actor body is not flagged while another thread advances")
  func otherThread() async throws {
    let loop = await makeLoop()
    loop.request()
    onThreads(1) { [scheduler] _ in scheduler.advance() }
    #expect(misuses.kinds == [])
    try await scheduler.runOnMain { await loop.settle() }
    #expect(log.entries == ["body"])
  }

  @Test(
    "L6: a request that was dropped before the advance is not flagged",
    arguments: ["cancel", "end", "release"])
  @MainActor func dropped(how: String) async throws {
    var loop: RefreshLoop? = makeLoop()
    loop?.request()
    switch how {
    case "cancel": loop?.cancel()
    case "end": loop?.stopWithoutWait()
    default: loop = nil
    }
    scheduler.advance()
    #expect(misuses.kinds == [])
    // The task of the run ends on the scheduler, after a turn of the main actor.
    try await scheduler.runOnMain { [scheduler] in try await scheduler.clock.sleep(for: .milliseconds(1)) }
    #expect(log.entries == [])
  }
}
