import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// S4: a run whose body does not end throws an error with the reason.
struct StuckErrorTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  /// Runs a body that does not end, and returns the error.
  private func stuck(limit: Int = 1_000_000, _ body: sending @escaping () async throws -> Void)
    -> TestScheduler.StuckError?
  {
    do {
      try scheduler.run(limit: limit, body)
    } catch {
      return error as? TestScheduler.StuckError
    }
    return nil
  }

  @Test("S4: a body that waits forever is stuck at the instant at which nothing more is pending")
  func nothingPending() {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let error = stuck { [scheduler] in
      try await scheduler.clock.sleep(for: .milliseconds(20))
      for await _ in stream {}
    }
    #expect(error?.reason == .nothingPending)
    #expect(error?.instant == .ms(20))
    #expect(error?.waiting == [])
    #expect(error?.likelyCauses.contains { $0.contains("stream that is never finished") } == true)
    #expect(error.map { "\($0)" }?.contains("0.02 seconds") == true)
    continuation.finish()
  }

  @Test("S4: an endless sleep is listed as work that is never due")
  func endlessSleep() {
    let error = stuck { [scheduler] in
      try await scheduler.clock.sleep(until: .distantFuture)
    }
    #expect(error?.reason == .nothingPending)
    #expect(error?.waiting == [TestScheduler.StuckError.Entry(deadline: .distantFuture, isJob: false)])
    #expect(scheduler.pendingCount == 0, "the sleep was cancelled")
  }

  @Test("S4: a body that never stops working is stuck at the limit, with the entries that are pending")
  func limit() {
    let error = stuck(limit: 500) { [scheduler] in
      scheduler.at(2) {}
      while !Task.isCancelled {
        await Task.yield()
      }
    }
    #expect(error?.reason == .limitReached(500))
    #expect(error?.instant == .ms(0))
    #expect(
      error?.waiting == [
        TestScheduler.StuckError.Entry(deadline: .ms(0), isJob: true),
        TestScheduler.StuckError.Entry(deadline: .ms(2), isJob: false),
      ])
    #expect(error?.waitingCount == 2)
  }

  @Test("S4: the error names the call that began the run")
  func callSite() {
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run(line: 7) { try await scheduler.clock.sleep(until: .distantFuture) }
    }
    #expect(error?.description.contains("StuckErrorTests.swift:7 has not ended at") == true)
  }

  @Test(
    "S4: the limit is 1,000,000 entries unless the caller says otherwise",
    .enabled(if: !isDebug, "a debug build takes seconds"))
  func defaultLimit() {
    let error = #expect(throws: TestScheduler.StuckError.self) {
      try scheduler.run {
        while !Task.isCancelled {
          await Task.yield()
        }
      }
    }
    #expect(error?.reason == .limitReached(1_000_000))
  }

  @Test("S4: a body that ignores its cancellation does not hang the run")
  func ignoredCancellation() {
    let isOver = Flag()
    let error = stuck(limit: 500) {
      while !isOver.isSet {
        await Task.yield()
      }
    }
    #expect(error?.reason == .limitReached(500))
    #expect(scheduler.pendingCount == 1)
    isOver.set()
    scheduler.advance()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("S4: a stuck body is cancelled, and the cancellation takes effect before the error is thrown")
  func cancellation() {
    let error = stuck { [scheduler, log] in
      defer { log.add("body ended at \(scheduler.milliseconds)") }
      await withTaskCancellationHandler {
        await withTaskGroup { group in
          group.addTask {
            do {
              try await scheduler.clock.sleep(until: .distantFuture)
            } catch {
              log.add("child cancelled")
            }
          }
        }
      } onCancel: {
        log.add("handler")
      }
    }
    #expect(error?.reason == .nothingPending)
    #expect(log.entries == ["handler", "child cancelled", "body ended at 0"])
    #expect(scheduler.pendingCount == 0)
  }

  @Test("S4: time does not move for a cancelled body")
  func noTimeAfterCancellation() {
    _ = stuck { [scheduler, log] in
      try? await scheduler.clock.sleep(until: .distantFuture)
      await Task { try? await scheduler.clock.sleep(for: .seconds(1)) }.value
      log.add("never")
    }
    #expect(log.entries == [])
    #expect(scheduler.now == .ms(0))
  }

  @Test("S4: a run after a stuck one works")
  func nextRun() throws {
    _ = stuck { [scheduler] in
      try await scheduler.clock.sleep(until: .distantFuture)
    }
    let result = try scheduler.run { [scheduler] in
      try await scheduler.clock.sleep(for: .milliseconds(1))
      return 7
    }
    #expect(result == 7)
    #expect(scheduler.now == .ms(1))
  }
}
