import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// K5: the ends of a keyed loop, and the answers to its callers.
struct KeyedLoopEndTests: KeyedLoopSuite {
  let scheduler = TestScheduler()
  let misuses = MisuseLog()

  @Test("K5: finish makes a last run of each pending key in the order of the deadlines, within the limit")
  func finish() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let loop = loop(script, .debounce(.milliseconds(50)), limit: 1)
    for (instant, key) in [(0, "c"), (1, "a"), (2, "b"), (3, "c")] {
      scheduler.at(instant) { loop.request(key) }
    }
    wait(at: 5, script, "finished") { await loop.finish() }
    scheduler.at(6) { loop.request("d") }
    scheduler.run()
    #expect(script.starts == ["a start 5", "b start 15", "c start 16"])
    #expect(script.entries.last == "finished 17")
    #expect(loop.entryCount == 0 && loop.pendingCount == 0)
  }

  @Test("K5: finish makes one more attempt of a key that waits for a retry, or fails during finish")
  func finishRetry() {
    let script = KeyedScript(scheduler, ["a": [.failing(1)], "b": [.failing(10)]])
    let loop = loop(script, retry: .constant(.seconds(10)))
    for key in ["a", "b"] { loop.request(key) }
    wait(at: 5, script, "finished") { await loop.finish() }
    scheduler.run()
    #expect(script.starts == ["a start 0", "b start 0", "a start 5", "b start 10"])
    #expect(script.entries.last == "finished 20")
  }

  @Test(
    "K5: finish runs keys in the order in which their windows and their waits for a retry would end",
    arguments: [(20, "a", false), (100, "b", false), (100, "b", true)])
  func finishOrder(_ wait: Int, _ first: String, isRequestedAgain: Bool) {
    let script = KeyedScript(scheduler, ["a": [.failing(0), .ms(0)]])
    let retry = Backoff.constant(.milliseconds(wait))
    let loop = loop(script, .throttle(.milliseconds(50)), retry: retry, limit: 1)
    for (instant, key) in [(0, "a"), (3, "b"), (5, "b")] { scheduler.at(instant) { loop.request(key) } }
    // The window of the first key is open. A request in the window joins the retry.
    if isRequestedAgain { scheduler.at(4) { loop.request("a") } }
    scheduler.at(7) { loop.close() }
    scheduler.run()
    #expect(script.starts.dropFirst(2).first == "\(first) start 7")
    #expect(script.starts.count == 4)
  }

  @Test("K5: finish of an idle loop returns, and a later request is ignored", arguments: Policies.all)
  func finishIdle(_ policy: CoalescingPolicy) {
    let script = KeyedScript(scheduler)
    let loop = loop(script, policy)
    loop.request("a")
    wait(at: 5, script, "finished") { await loop.finish() }
    scheduler.at(100) { loop.request("b") }
    scheduler.run()
    #expect(script.starts.count == 1 && !loop.isPending("b") && loop.entryCount == 0)
  }

  @Test("K5: stop drops all pending keys, and waits for the runs in progress", arguments: [false, true])
  func stop(_ cancels: Bool) {
    let script = KeyedScript(scheduler, ["a": [.ms(20)], "b": [.ms(30)]])
    let loop = loop(script, limit: 2)
    for key in ["a", "b", "c"] { loop.request(key) }
    wait(at: 5, script, "stopped") { await loop.stop(cancelling: cancels) }
    scheduler.run()
    #expect(script.starts == ["a start 0", "b start 0"])
    #expect(script.entries.last == (cancels ? "stopped 5" : "stopped 30"))
    #expect(loop.entryCount == 0)
  }

  @Test("K5: settle waits for all keys, and for retries")
  func settle() {
    let script = KeyedScript(scheduler, ["a": [.failing(1), .ms(1)], "b": [.ms(5)]])
    let loop = loop(script, retry: .constant(.milliseconds(20)))
    for key in ["a", "b"] { loop.request(key) }
    wait(at: 0, script, "settled") { #expect(await loop.settle()) }
    scheduler.run()
    #expect(script.entries.last == "settled 22")
  }

  @Test("K5, L5: a call that would let a run wait for its own loop is flagged, and does not wait")
  func insideRun() {
    let script = KeyedScript(scheduler)
    let holder = Shared<KeyedRefreshLoop<String>?>(nil)
    let loop = KeyedRefreshLoop<String>(on: scheduler, misuse: misuses.handler) { key in
      if key == "a" {
        #expect(await holder.value?.settle() == false)
        await #expect(throws: CancellationError.self) { try await holder.value?.refresh("b") }
        await holder.value?.finish()
      }
      script.add("\(key) done")
    } onError: { _, _ in
    }
    holder.value = loop
    loop.request("a")
    scheduler.run()
    holder.value = nil
    #expect(script.entries == ["a done 0", "b done 0"])
    #expect(misuses.kinds == [.waitedInsideRun, .waitedInsideRun, .waitedInsideRun])
  }

  @Test("K5: a deallocated loop drops pending keys, and lets runs in progress end", arguments: Policies.all)
  func deallocation(_ policy: CoalescingPolicy) {
    let script = KeyedScript(scheduler, ["a": [.ms(100)]])
    let canary = Log()
    var loop: KeyedRefreshLoop<String>? = KeyedRefreshLoop(
      on: scheduler, policy: policy, maxConcurrentRuns: 1
    ) { [kept = Shared(Canary { canary.add("released") })] key in
      try await script.body(key)
      withExtendedLifetime(kept) {}
    } onError: { _, _ in
    }
    for key in ["a", "b"] { loop?.request(key) }
    scheduler.advance(by: .milliseconds(20))
    loop = nil
    scheduler.run()
    #expect(script.entries.filter { $0.hasPrefix("b") } == [])
    #expect(script.entries.count == 2)
    #expect(canary.entries == ["released"])
    #expect(scheduler.pendingCount == 0)
  }

  @Test("K5, S7: a loop whose scheduler is lost has nothing pending, and its waits end")
  func loss() async {
    let clock = TestScheduler()
    var owner: Owner? = Owner()
    let loop = KeyedRefreshLoop<String>(
      on: .actor(owner!, clock: clock), policy: .debounce(.milliseconds(10))
    ) { _ in
    } onError: { _, _ in
    }
    loop.request("a")
    let wait = Task { try await loop.refresh("b") }
    while !loop.isPending("b") { await Task.yield() }
    owner = nil
    clock.run()
    await #expect(throws: CancellationError.self) { try await wait.value }
    #expect(loop.pendingCount == 0 && loop.entryCount == 0)
    #expect(await loop.settle())
  }

  private actor Owner {}

  @Test("K5, L10: a request is answered by the run of its key, or gets the run's error", arguments: [1, 2])
  func answers(_ limit: Int) {
    let script = KeyedScript(scheduler, ["a": [.ms(10)], "b": [.failing(5)]])
    let loop = loop(script, limit: limit)
    for key in ["a", "b"] { call(loop, key, script) }
    scheduler.run()
    let answers = script.entries.filter { $0.contains("answer") }
    let expected = ["a answer 10", "b answer: Failure() \(limit == 1 ? 15 : 5)"]
    #expect(Set(answers) == Set(expected))
  }

  @Test("K5, L10: cancel throws only to the callers of its key")
  func cancelledKey() {
    let script = KeyedScript(scheduler)
    let loop = loop(script, .debounce(.milliseconds(20)))
    for key in ["a", "b"] { call(loop, key, script) }
    scheduler.at(5) { loop.cancel("a") }
    scheduler.run()
    #expect(script.entries == ["a answer: CancellationError() 5", "b start 20", "b end 21", "b answer 21"])
  }

  @Test("K5, C7, L10: cancelAll drops the pending runs of all keys, and a run in progress continues")
  func cancelledAll() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let loop = loop(script, .debounce(.milliseconds(20)))
    loop.request("a")
    scheduler.at(10) { loop.request("b") }
    call(loop, "c", at: 15, script)
    scheduler.at(25) {
      loop.cancelAll()
      #expect(loop.pendingCount == 0 && loop.isRunning("a"))
    }
    scheduler.run()
    #expect(script.entries == ["a start 20", "c answer: CancellationError() 25", "a end 30"])
    #expect(loop.entryCount == 0)
    loop.request("b")
    scheduler.run()
    #expect(script.starts.last == "b start 50")
  }

  @Test("K5, C7: flushAll puts all pending keys in line, in the order in which they would have become due")
  func flushedAll() {
    let script = KeyedScript(scheduler)
    let loop = loop(script, .debounce(.milliseconds(20)), limit: 1)
    for (instant, key) in [(0, "a"), (5, "b"), (10, "a")] { scheduler.at(instant) { loop.request(key) } }
    scheduler.at(12) { loop.flushAll() }
    scheduler.run()
    #expect(script.entries == ["b start 12", "b end 13", "a start 13", "a end 14"])
    #expect(loop.entryCount == 0 && scheduler.pendingCount == 0)
  }

  @Test("K5: keys with equal deadlines are put in line in the order in which their windows would have ended")
  func equalDeadlines() {
    let ends: [@Sendable (KeyedRefreshLoop<String>) -> Void] = [{ _ in }, { $0.flushAll() }, { $0.close() }]
    for (start, end) in zip([0, 100, 200], ends) {
      let script = KeyedScript(scheduler)
      let loop = loop(script, .debounce(.milliseconds(20)), limit: 1)
      for (instant, key) in [(0, "a"), (2, "b"), (5, "c"), (5, "b"), (5, "a")] {
        scheduler.at(start + instant) { loop.request(key) }
      }
      scheduler.at(start + 10) { end(loop) }
      scheduler.run()
      #expect(script.starts.map { $0.prefix(1) } == ["c", "a", "b"])
    }
  }

  @Test("K5, L8: a retry comes before a window that ends at the same instant")
  func retryAndWindow() {
    let ends: [@Sendable (KeyedRefreshLoop<String>) -> Void] = [{ _ in }, { $0.flushAll() }, { $0.close() }]
    for (start, end) in zip([0, 100, 200], ends) {
      let script = KeyedScript(scheduler, ["a": [.failing(1), .ms(1)]])
      let loop = loop(script, .audit(.milliseconds(20)), retry: .constant(.milliseconds(20)), limit: 1)
      // The retry of a and the window of b end at 41.
      scheduler.at(start) { loop.request("a") }
      scheduler.at(start + 21) { loop.request("b") }
      scheduler.at(start + 30) { end(loop) }
      scheduler.run()
      #expect(script.starts.map { $0.prefix(1) } == ["a", "a", "b"])
    }
  }

  @Test("K5, L10: a cancelled caller throws, and its request stays")
  func cancelledCaller() {
    let script = KeyedScript(scheduler)
    let loop = loop(script, .debounce(.milliseconds(20)))
    let caller = call(loop, "a", script)
    scheduler.at(5) { caller.cancel() }
    scheduler.run()
    #expect(script.entries == ["a answer: CancellationError() 5", "a start 20", "a end 21"])
    #expect(loop.entryCount == 0)
  }

  @Test("K5, L10: with `.ignore`, the run in progress answers the requests of its key")
  func ignore() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let loop = loop(script, whenBusy: .ignore)
    for instant in [0, 2, 4] { call(loop, "a", at: instant, script) }
    scheduler.run()
    #expect(script.starts == ["a start 0"])
    #expect(script.entries.filter { $0 == "a answer 10" }.count == 3)
  }

  @Test("K5, L10: a request after the end throws, and so does a request that the end drops")
  func ended() {
    let script = KeyedScript(scheduler)
    let loop = loop(script, .debounce(.milliseconds(20)))
    call(loop, "a", script)
    wait(at: 5, script, "stopped") { await loop.stop() }
    call(loop, "b", at: 10, script)
    scheduler.run()
    #expect(
      Set(script.entries) == [
        "a answer: CancellationError() 5", "stopped 5", "b answer: CancellationError() 10",
      ])
  }

  @Test("K5: the description has the keys that run and the keys that are pending")
  func description() {
    let script = KeyedScript(scheduler, ["a": [.ms(10)]])
    let loop = loop(script, limit: 1)
    for key in ["a", "b", "c"] { loop.request(key) }
    scheduler.advance(by: .milliseconds(1))
    #expect("\(loop)" == "KeyedRefreshLoop<String>, 1 key running, 2 keys pending")
    scheduler.run()
  }
}
