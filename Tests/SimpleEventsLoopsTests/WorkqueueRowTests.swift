import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// The table rows and sentences about time in the article about Kubernetes' workqueue.
struct WorkqueueRowTests: KeyedLoopSuite {
  let scheduler = TestScheduler()
  let misuses = MisuseLog()

  @Test("Workqueue: with `.audit`, the first request of a key opens the window")
  func addAfter() {
    let script = KeyedScript(scheduler)
    let loop = loop(script, .audit(.milliseconds(10)))
    for (instant, key) in [(0, "a"), (3, "b"), (4, "a")] { scheduler.at(instant) { loop.request(key) } }
    scheduler.run()
    #expect(script.starts == ["a start 10", "b start 13"])
  }

  @Test(
    "Workqueue: the waits of a retry rule equal the waits of the matching rate limiter",
    arguments: [
      (Backoff.exponential(initial: .milliseconds(5)).maximum(.milliseconds(15)), [0, 5, 15, 30, 45]),
      (.custom { failures, _ in failures <= 2 ? .milliseconds(1) : .milliseconds(10) }, [0, 1, 2, 12, 22]),
    ])
  func rateLimiter(_ retry: Backoff, _ starts: [Int]) {
    let script = KeyedScript(scheduler, ["a": [.failing(0)]])
    let loop = loop(script, retry: retry)
    loop.request("a")
    scheduler.advance(by: .milliseconds(starts[4]))
    #expect(script.starts == starts.map { "a start \($0)" })
  }

  @Test(
    "Workqueue: a request joins the retry, and a later flush starts the run", arguments: [false, true])
  func requestDuringWait(_ isFlushed: Bool) {
    let script = KeyedScript(scheduler, ["a": [.failing(0), .ms(0)]])
    let loop = loop(script, retry: .constant(.milliseconds(20)))
    loop.request("a")
    scheduler.at(5) {
      loop.request("a")
      if isFlushed { loop.flush("a") }
    }
    scheduler.run()
    #expect(script.starts == ["a start 0", "a start \(isFlushed ? 5 : 20)"])
  }

  @Test("Workqueue: close makes a last run, without a retry, of keys that wait for a window or a retry")
  func shutDown() {
    let script = KeyedScript(scheduler, ["a": [.failing(0)], "b": [.failing(0)]])
    let loop = loop(script, .debounce(.milliseconds(10)), retry: .constant(.milliseconds(100)))
    for (instant, key) in [(0, "a"), (15, "b")] { scheduler.at(instant) { loop.request(key) } }
    scheduler.at(20) { loop.close() }
    scheduler.run()
    #expect(script.starts == ["a start 10", "b start 20", "a start 20"])
  }

  @Test("Workqueue: stop drops the keys that wait for a window or a retry")
  func drop() {
    let script = KeyedScript(scheduler, ["a": [.failing(0)]])
    let loop = loop(script, .debounce(.milliseconds(10)), retry: .constant(.milliseconds(100)))
    for (instant, key) in [(0, "a"), (15, "b")] { scheduler.at(instant) { loop.request(key) } }
    wait(at: 20, script, "stopped") { await loop.stop() }
    scheduler.run()
    #expect(script.starts == ["a start 10"])
    #expect(script.entries.last == "stopped 20")
  }

  @Test("Workqueue: the number of pending keys includes windows, retries, and requests during a run")
  func length() {
    let script = KeyedScript(scheduler, ["a": [.failing(0)], "b": [.ms(50)]])
    let loop = loop(script, .throttle(.milliseconds(10)), retry: .constant(.milliseconds(100)))
    for (instant, key) in [(0, "a"), (0, "b"), (0, "c"), (5, "c"), (5, "b")] {
      scheduler.at(instant) { loop.request(key) }
    }
    scheduler.advance(by: .milliseconds(6))
    #expect(loop.pendingCount == 3 && loop.runningCount == 1)
    #expect(["a", "b", "c"].allSatisfy { loop.isPending($0) })
  }

  @Test("Workqueue: a limiter in the body delays the first runs, so later runs cannot begin")
  func bucket() {
    let limiter = RateLimiter(every: .milliseconds(10), on: scheduler)
    let log = Log()
    let loop = KeyedRefreshLoop<String>(on: scheduler, maxConcurrentRuns: 2) { [scheduler] key in
      try await limiter.acquire()
      log.add("\(key) \(scheduler.milliseconds)")
    } onError: { _, _ in
    }
    for key in ["a", "b", "c", "d"] { loop.request(key) }
    scheduler.advance(by: .milliseconds(1))
    #expect(log.entries == ["a 0"] && loop.runningCount == 2)
    scheduler.run()
    #expect(log.entries == ["a 0", "b 10", "c 20", "d 30"])
  }
}
