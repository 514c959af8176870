import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// C7: a flush of a loop during a run, and while a due run or a retry waits.
struct RefreshFlushTests {
  private let scheduler = TestScheduler()

  /// Returns a loop that runs on the test scheduler.
  private func loop(
    _ script: RefreshScript, _ policy: CoalescingPolicy, retry: Backoff = .never
  ) -> RefreshLoop {
    RefreshLoop(on: scheduler, policy: policy, retry: retry) {
      try await script.body()
    } onError: { _ in
    }
  }

  private func host(_ loop: RefreshLoop, _ script: RefreshScript) -> Task<Void, Never> {
    Task(executorPreference: scheduler) {
      await loop.run {
        try await script.body()
      } onError: { _ in
      }
    }
  }

  @Test("C7: a request after a flush during a run does not postpone the flushed run")
  func requestAfterFlush() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .debounce(.seconds(3600)))
    loop.request()
    loop.flush()
    scheduler.at(1) {
      loop.request()
      loop.flush()
    }
    scheduler.at(2) { loop.request() }
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "start 10", "end 20"])
    #expect(!loop.isPending)
  }

  @Test("L8: a request that is flushed during a failing run joins the retry")
  func flushBeforeFailure() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop(script, .debounce(.seconds(3600)), retry: .constant(.seconds(60)))
    loop.request()
    loop.flush()
    scheduler.at(1) {
      loop.request()
      loop.flush()
    }
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 10", "start 60010", "end 60020"])
    #expect(!loop.isPending)
  }

  @Test("C7: a flush with nothing pending does not hasten a later request")
  func flushOfNothing() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = loop(script, .debounce(.milliseconds(50)))
    loop.request()
    loop.flush()
    scheduler.at(1) { loop.flush() }
    scheduler.at(2) { loop.request() }
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "start 52", "end 62"])
  }

  @Test("C7: a flush closes the window while a due run waits for its host")
  func flushWithoutHost() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = RefreshLoop(on: scheduler, policy: .debounce(.seconds(3600), edges: .leading))
    loop.request()
    loop.request()
    scheduler.advance()
    loop.flush()
    let host = host(loop, script)
    scheduler.at(20) { loop.request() }
    scheduler.at(50) { host.cancel() }
    scheduler.run()
    #expect(script.entries == ["start 0", "end 10", "start 20", "end 30"])
  }

  @Test("C7: a flush closes the window while a retry waits")
  func flushInRetry() {
    let script = RefreshScript(scheduler, [.failing(10), .ms(10)])
    let loop = loop(
      script, .debounce(.seconds(3600), edges: .leading), retry: .constant(.seconds(60)))
    loop.request()
    scheduler.at(20) {
      loop.request()
      loop.flush()
    }
    scheduler.at(40) { loop.request() }
    scheduler.run()
    #expect(script.entries == ["start 0", "fail 10", "start 20", "end 30", "start 40", "end 50"])
  }

  @Test("C7: a flush delivers the elements of a batch loop during a run, and later elements do not delay it")
  func batches() {
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = BatchLoop<Int>(on: scheduler, policy: .debounce(.seconds(3600)), keeping: .unlimited) {
      batch in
      try await script.body(batch)
    } onError: { _, _ in
    }
    loop.add(1)
    loop.flush()
    scheduler.at(1) {
      loop.add(2)
      loop.flush()
    }
    scheduler.at(2) { loop.add(3) }
    scheduler.run()
    #expect(script.entries == ["[1] 0", "end 10", "[2, 3] 10", "end 20"])
    #expect(!loop.isPending)
  }
}
