import SimpleEvents
import SimpleEventsLoops
import SimpleEventsMonitoring
import SimpleEventsTesting
import TestSupport
import Testing

/// K6, W2: a monitor sees one source for all keys of a loop, and its counts are exact.
struct KeyedLoopMonitorTests {
  private let scheduler = TestScheduler()
  private let log = MonitorLog()

  private actor Owner {}

  private func loop(
    _ script: KeyedScript, _ policy: CoalescingPolicy = .nextTurn, whenBusy: RefreshLoop.WhenBusy = .rerun,
    retry: Backoff = .never, limit: Int = 4, seenBy monitor: (any CoalescingMonitor)? = nil
  ) -> KeyedRefreshLoop<String> {
    withCoalescingMonitor(monitor ?? log) {
      KeyedRefreshLoop(
        on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry, maxConcurrentRuns: limit,
        label: "loop"
      ) {
        try await script.body($0)
      } onError: { _, _ in
      }
    }
  }

  /// The calls after the creation of the only source.
  private var entries: [String] { Array(log.entries.dropFirst()) }

  @Test("K2: the memory of many keys is released while one key is retried", arguments: [false, true])
  func memory(_ isWatched: Bool) {
    func make() -> KeyedRefreshLoop<Int> {
      KeyedRefreshLoop(
        on: scheduler, policy: .debounce(.milliseconds(10)), retry: .constant(.milliseconds(20))
      ) { key in
        if key == 0 { throw RefreshScript.Failure() }
      } onError: { _, _ in
      }
    }
    let loop = isWatched ? withCoalescingMonitor(log, operation: make) : make()
    scheduler.at(0) { for key in 0..<1000 { loop.request(key) } }
    scheduler.advance(toMilliseconds: 25)
    #expect(loop.entryCount == 1 && loop.isPending(0))
    #expect(loop.capacity < 100)
    loop.cancel(0)
    #expect(loop.entryCount == 0)
  }

  @Test("K6, W2: a run is reported with its key, the requests of that key, and its cause")
  func runs() {
    let script = KeyedScript(scheduler, ["a": [.failing(2), .ms(3)], "b": [.ms(10)]])
    let loop = loop(script, .debounce(.milliseconds(10)), retry: .constant(.milliseconds(5)))
    for (time, key) in [(0, "a"), (1, "b"), (2, "a"), (40, "c"), (60, "d"), (61, "d")] {
      scheduler.at(time) { loop.request(key) }
    }
    scheduler.at(43) { loop.flush("c") }
    scheduler.at(62) { loop.cancel("d") }
    scheduler.run()
    #expect(
      entries == [
        "2 since 0 at 12 for 2.0, deadline, Failure", "1 since 1 at 11 for 10.0, deadline",
        "0 at 19 for 3.0, retry", "1 since 40 at 43 for 1.0, flush", "discarded 2",
      ])
    #expect(log.records[0].deliveries.map { $0.key as? String } == ["a", "b", "a", "c"])
    #expect(log.faults == [])
  }

  @Test("K6: the statistics count the keys that are pending, running and failing, and name the oldest")
  func keys() throws {
    let script = KeyedScript(scheduler, ["a": [.failing(1), .ms(10)], "b": [.ms(10)]])
    let loop = loop(script, retry: .constant(.milliseconds(20)), limit: 2)
    let source = try #require(log.records.first?.source)
    func state() -> String {
      let statistics = source.statistics
      let counts = [statistics.pendingKeyCount, statistics.runningKeyCount, statistics.failingKeyCount]
      return "\(counts) \(statistics.oldestKey ?? "-")"
    }
    for (time, key) in [(0, "a"), (0, "b"), (0, "c"), (0, "d")] {
      scheduler.at(time) { loop.request(key) }
    }
    scheduler.advance(by: .microseconds(500))
    #expect(state() == "[2, 2, 0] c")
    scheduler.advance(toMilliseconds: 1)
    #expect(state() == "[2, 2, 1] d", "a waits for a retry, and c runs")
    scheduler.advance(toMilliseconds: 15)
    #expect(state() == "[1, 0, 1] -")
    scheduler.advance(toMilliseconds: 22)
    #expect(state() == "[0, 1, 1] -")
    scheduler.run()
    #expect(state() == "[0, 0, 0] -")
  }

  @Test("K6: a cancelled key no longer counts as failing", arguments: [false, true])
  func cancelledFailure(_ isStopped: Bool) async throws {
    let script = KeyedScript(scheduler, ["a": [.failing(1)], "b": [.failing(1)]])
    let loop = loop(script, retry: .constant(.seconds(20)))
    for key in ["a", "b"] { loop.request(key) }
    scheduler.advance(by: .milliseconds(10))
    let source = try #require(log.records.first?.source)
    #expect(source.statistics.failingKeyCount == 2)
    #expect("\(loop)" == #"KeyedRefreshLoop<String> "loop", 2 keys pending, 2 keys failing"#)
    if isStopped { await loop.stop() } else { loop.cancel("a") }
    #expect(source.statistics.failingKeyCount == (isStopped ? 0 : 1))
  }

  @Test("K6: a loop that is stopped during an attempt has no failing key")
  func stoppedAttempt() {
    let inspector = CoalescingInspector()
    let script = KeyedScript(scheduler, ["a": [.failing(1), .ms(10)]])
    let loop = loop(script, retry: .constant(.milliseconds(5)), seenBy: inspector)
    loop.request("a")
    scheduler.advance(toMilliseconds: 8)
    #expect(inspector.snapshot().total.failingKeyCount == 1)
    loop.runs.stop()
    #expect(inspector.snapshot().total.failingKeyCount == 0)
    scheduler.run()
    #expect(script.entries.last == "a end 16")
    #expect(inspector.snapshot().total.failingKeyCount == 0)
  }

  @Test("K6, W2: the end is reported with the requests of all pending keys")
  func end() async {
    let loop = loop(KeyedScript(scheduler), .debounce(.milliseconds(10)))
    for key in ["a", "b", "b"] { loop.request(key) }
    await loop.stop()
    #expect(entries == ["ended 3"])
    #expect(log.faults == [])
  }

  @Test(
    "K6, W2: the end is reported after the requests of several keys were discarded together",
    arguments: ["cancelAll", "loss"])
  func endAfterDiscards(_ cause: String) {
    var owner: Owner? = Owner()
    var loop: KeyedRefreshLoop<String>? = withCoalescingMonitor(log) {
      KeyedRefreshLoop(on: .actor(owner!, clock: scheduler), policy: .debounce(.milliseconds(10))) { _ in
      } onError: { _, _ in
      }
    }
    for key in ["a", "b", "b", "c"] { loop?.request(key) }
    if cause == "cancelAll" { loop?.cancelAll() }
    owner = nil
    scheduler.run()
    #expect(entries == ["discarded 1", "discarded 2", "discarded 1"])
    loop = nil
    #expect(entries.last == "ended 0")
    #expect(log.faults == [])
  }

  @Test("K6, W2: the requests of all runs and losses add up on random programs", arguments: Policies.all)
  func sums(_ policy: CoalescingPolicy) throws {
    var random = SeededGenerator(seed: 11)
    for number in 0..<Stress.rounds(200) {
      let names = ["a", "b", "c"]
      let runs = names.map { ($0, RefreshScript.randomRuns(&random)) }
      let script = KeyedScript(scheduler, Dictionary(uniqueKeysWithValues: runs))
      let whenBusy = RefreshLoop.WhenBusy.modes[number % 3]
      var loop: KeyedRefreshLoop<String>? = loop(
        script, policy, whenBusy: whenBusy, retry: .constant(.milliseconds(7)), limit: 2)
      for _ in 0..<40 {
        let key = names.randomElement(using: &random)!
        switch Int.random(in: 0..<15, using: &random) {
        case 0..<7: loop?.request(key)
        case 7: loop?.cancel(key)
        case 8: loop?.flush(key)
        case 9: loop?.cancelRun(key)
        case 10: loop?.cancelAll()
        case 11: loop?.flushAll()
        default: scheduler.advance(by: .milliseconds(Int.random(in: 0..<12, using: &random)))
        }
      }
      if number % 2 == 0 { loop?.close() }
      let source = try #require(log.records.last?.source)
      loop = nil
      scheduler.run()
      let record = try #require(log.records.last)
      #expect(record.signals == source.statistics.signalCount && record.unsent != nil)
      #expect(source.statistics.runningKeyCount == 0 && source.statistics.pendingSignalCount == 0)
    }
    #expect(log.faults == [])
  }

  @Test("K6: a description has the times of the first keys if a monitor watches the loop")
  func description() {
    let script = KeyedScript(scheduler, ["a": [.ms(100)], "b": [.ms(100)]])
    let loop = loop(script, limit: 2)
    for (time, key) in [(0, "a"), (5, "b"), (10, "c")] { scheduler.at(time) { loop.request(key) } }
    scheduler.advance(toMilliseconds: 20)
    #expect(
      "\(loop)" == """
        KeyedRefreshLoop<String> "loop", 2 keys running, the first for 20 ms, 1 key pending for 10 ms
        """)
    scheduler.run()
  }

  @Test("K6: the row of an inspector counts the pending, running and failing keys, and names the oldest")
  func inspector() {
    let inspector = CoalescingInspector()
    let script = KeyedScript(scheduler, ["a": [.failing(1), .ms(10)], "b": [.ms(10)]])
    let loop = loop(script, retry: .constant(.milliseconds(20)), limit: 1, seenBy: inspector)
    for (time, key) in [(0, "a"), (0, "b"), (2, "c")] { scheduler.at(time) { loop.request(key) } }
    scheduler.advance(toMilliseconds: 2)
    #expect(
      "\(inspector)".contains("next turn on TestScheduler; keys: 2 pending, 1 running, 1 failing, oldest c"))
    scheduler.advance(toMilliseconds: 15)
    // A key that waits for a retry has no request.
    #expect("\(inspector)".contains("next turn on TestScheduler; keys: 1 pending, 1 failing\n"))
    loop.cancel("a")
  }

  @Test("K6: a trace names keys, and has a track for each run at the same time")
  func trace() {
    let trace = CoalescingTrace(capacity: 10)
    let script = KeyedScript(scheduler, ["a": [.ms(10)], "b": [.ms(2)]])
    let loop = loop(script, seenBy: trace)
    for (time, key) in [(0, "a"), (3, "b"), (6, "b"), (12, "a")] {
      scheduler.at(time) { loop.request(key) }
    }
    scheduler.run()
    let lines = trace.json.split(separator: "\n")
    let slices = lines.filter { $0.contains(#""cat":"delivery""#) }
    #expect(slices.map { $0.contains(#""name":"a""#) } == [true, false, false, true])
    #expect(slices.allSatisfy { $0.contains(#""name":"a""#) || $0.contains(#""name":"b""#) })
    let threads = slices.map { $0.split(separator: ",").first { $0.hasPrefix(#""tid""#) } }
    #expect(threads[0] == threads[3] && threads[1] == threads[2] && threads[0] != threads[1])
    #expect(lines.contains { $0.contains("deliveries 2") })
    #expect(!lines.contains { $0.contains("deliveries 3") })
    #expect(
      "\(trace.timeline)".split(separator: "\n").compactMap {
        $0.firstMatch(of: /^loop [a-z]+ [a-z]+/)?.output
      }
        == ["loop a signals", "loop a deliveries", "loop b signals", "loop b deliveries"])
  }
}
