import Observation
import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// W2 and W4 for loops: the deliveries that tasks make, in virtual time.
struct LoopMonitorTests {
  @Observable fileprivate final class Model {
    var title = ""
  }

  private let scheduler = TestScheduler()
  private let log = MonitorLog()

  private func watched<Object>(_ make: () throws -> Object) rethrows -> Object {
    try withCoalescingMonitor(log) { try make() }
  }

  private func loop(
    _ runs: [RefreshScript.Run], whenBusy: RefreshLoop.WhenBusy = .rerun, retry: Backoff = .never,
    policy: CoalescingPolicy = .nextTurn
  ) -> RefreshLoop {
    let script = RefreshScript(scheduler, runs)
    return watched {
      RefreshLoop(on: scheduler, policy: policy, whenBusy: whenBusy, retry: retry, label: "loop") {
        try await script.body()
      } onError: { _ in
      }
    }
  }

  /// The calls after the creation of the only source.
  private var entries: [String] { Array(log.entries.dropFirst()) }

  @Test("W2: a run is reported with the requests before it, its duration and its cause")
  func runs() {
    let loop = loop([.ms(20)], policy: .audit(.milliseconds(10)))
    for time in [0, 4, 15, 20] { scheduler.at(time) { loop.request() } }
    scheduler.run()
    #expect(entries == ["2 since 0 at 10 for 20.0, deadline", "2 since 15 at 30 for 20.0, deadline"])
    let statistics = log.records[0].source.statistics
    #expect(statistics.totalDuration == .milliseconds(40) && statistics.longestLatency == .milliseconds(15))
  }

  @Test("L3, W2: a run that joins a pending delivery reports all requests, and the wait of the first")
  func joined() {
    let loop = loop([.ms(1000), .ms(5)], policy: .audit(.milliseconds(10)))
    for time in [0, 200, 1005] { scheduler.at(time) { loop.request() } }
    scheduler.run()
    #expect(entries == ["1 since 0 at 10 for 1000.0, deadline", "2 since 200 at 1015 for 5.0, deadline"])
    let statistics = log.records[0].source.statistics
    #expect(statistics.discardedSignalCount == 0 && statistics.longestLatency == .milliseconds(815))
  }

  @Test("L3, W2: requests that have joined a pending delivery are discarded with it")
  func joinedAndCancelled() {
    let loop = loop([.ms(1000)], policy: .audit(.milliseconds(10)))
    for time in [0, 200, 1005] { scheduler.at(time) { loop.request() } }
    scheduler.at(1012) { loop.cancel() }
    scheduler.run()
    #expect(entries == ["1 since 0 at 10 for 1000.0, deadline", "discarded 2"])
    #expect(log.records[0].source.statistics.pendingSignalCount == 0)
  }

  @Test("W2: a flush that drops its requests does not become the cause of a later run")
  func droppedFlush() {
    let loop = loop([.ms(10), .ms(1)], whenBusy: .ignore)
    loop.request()
    scheduler.at(5) {
      loop.request()
      loop.flush()
    }
    scheduler.at(20) { loop.request() }
    scheduler.run()
    #expect(
      entries == ["discarded 1", "1 since 0 at 0 for 10.0, turn", "1 since 20 at 20 for 1.0, turn"])
  }

  @Test("L3, S7, W2: requests that have joined a pending delivery are discarded if the scheduler loses it")
  func joinedAndLost() throws {
    actor Owner {}
    let owner = Guarded<Owner?>(Owner())
    let script = RefreshScript(scheduler, [.ms(1000)])
    let loop = try watched {
      RefreshLoop(
        on: .actor(try #require(owner.withLock { $0 }), clock: scheduler),
        policy: .audit(.milliseconds(10))
      ) {
        try await script.body()
      } onError: { _ in
      }
    }
    for time in [0, 200, 1005] { scheduler.at(time) { loop.request() } }
    scheduler.at(1012) { _ = owner.exchange(nil) }
    scheduler.run()
    let statistics = log.records[0].source.statistics
    #expect(statistics.discardedSignalCount == 2 && statistics.pendingSignalCount == 0)
  }

  @Test(
    "W2: a loop that answers all requests discards none",
    arguments: [
      CoalescingPolicy.nextTurn, .audit(.milliseconds(30)), .throttle(.milliseconds(30)),
      .throttle(.milliseconds(30), edges: .trailing), .debounce(.milliseconds(30)),
      .debounce(.milliseconds(30), maxWait: .milliseconds(100)),
      .debounce(.milliseconds(30), edges: [.leading, .trailing]),
    ])
  func answered(_ policy: CoalescingPolicy) {
    for seed in 0..<UInt64(Stress.size(20)) {
      var random = SeededGenerator(seed: seed)
      let runs =
        (0..<40).map { _ in
          Bool.random(using: &random)
            ? RefreshScript.Run.ms(.random(in: 1...80, using: &random))
            : .failing(.random(in: 1...20, using: &random))
        } + [.ms(5)]
      let loop = loop(runs, retry: .constant(.milliseconds(10)), policy: policy)
      for _ in 0..<30 {
        scheduler.at(scheduler.milliseconds + .random(in: 0...2000, using: &random)) { loop.request() }
      }
      scheduler.run()
      let statistics = log.records[log.records.count - 1].source.statistics
      #expect(statistics.discardedSignalCount == 0 && statistics.deliveredSignalCount == 30, "seed \(seed)")
    }
  }

  @Test("L8, W2: a failed run has its own requests, and its retry has the requests that joined it")
  func retries() {
    let loop = loop([.failing(5), .failing(5), .ms(5)], retry: .constant(.milliseconds(100)))
    loop.request()
    scheduler.at(50) { loop.request() }
    scheduler.advance(toMilliseconds: 200)
    let midway = log.records[0].source.statistics
    #expect(midway.consecutiveFailureCount == 2 && midway.latestError == "Failure()")
    scheduler.run()
    #expect(
      entries == [
        "1 since 0 at 0 for 5.0, turn, Failure", "1 since 50 at 105 for 5.0, retry, Failure",
        "0 at 210 for 5.0, retry",
      ])
    let statistics = log.records[0].source.statistics
    #expect(statistics.failureCount == 2 && statistics.consecutiveFailureCount == 0)
    #expect(statistics.latestError == "Failure()" && statistics.latestErrorAge == .milliseconds(105))
  }

  @Test("W2: requests that a busy loop ignores are discarded")
  func ignored() {
    let loop = loop([.ms(20)], whenBusy: .ignore)
    for time in [0, 5, 6] { scheduler.at(time) { loop.request() } }
    scheduler.run()
    #expect(entries == ["discarded 1", "discarded 1", "1 since 0 at 0 for 20.0, turn"])
  }

  @Test("W2: a run that is cancelled in favour of the next run ends with an error")
  func restarted() {
    let loop = loop([.ms(20)], whenBusy: .restart)
    for time in [0, 5] { scheduler.at(time) { loop.request() } }
    scheduler.run()
    #expect(
      entries == ["1 since 0 at 0 for 5.0, turn, CancellationError", "1 since 5 at 5 for 20.0, turn"])
  }

  @Test("W2: the CancellationError of a run is a failure unless the run was cancelled")
  func cancellationErrors() throws {
    let scheduler = scheduler
    let loop = watched {
      RefreshLoop(on: scheduler, whenBusy: .restart, retry: .constant(.milliseconds(10))) {
        if scheduler.elapsed < .milliseconds(20) { throw CancellationError() }
        try await scheduler.clock.sleep(for: .milliseconds(5))
      } onError: { _ in
      }
    }
    loop.request()
    scheduler.advance(toMilliseconds: 15)
    let midway = try #require(log.records.first).source.statistics
    #expect(midway.failureCount == 2 && midway.consecutiveFailureCount == 2)
    #expect(midway.latestError == "CancellationError()")
    scheduler.at(22) { loop.request() }
    scheduler.at(23) {
      let cancelled = log.records[0].source.statistics
      #expect(
        cancelled.consecutiveFailureCount == 2, "a cancelled run leaves the number of failures in a row")
    }
    scheduler.run()
    #expect(log.records[0].deliveries.map(\.isCancelled) == [false, false, true, false])
    let statistics = log.records[0].source.statistics
    #expect(statistics.failureCount == 2 && statistics.consecutiveFailureCount == 0)
  }

  @Test("W2: flush is the cause of a run, and finish is the cause of the last run")
  func flushAndFinish() {
    let loop = loop([.ms(5)], policy: .debounce(.seconds(10)))
    loop.request()
    loop.flush()
    scheduler.at(20) {
      loop.request()
      Task(executorPreference: scheduler) { await loop.finish() }
    }
    scheduler.run()
    loop.request()
    #expect(entries == ["1 since 0 at 0 for 5.0, flush", "1 since 20 at 20 for 5.0, flush", "ended 0"])
    #expect(log.faults == [])
  }

  @Test(
    "W2: requests that are pending at a stop or a deallocation are unsent, and a run in progress ends first")
  func stopped() {
    var stopped: RefreshLoop? = loop([.ms(10)])
    stopped?.request()
    scheduler.at(5) { [weak stopped] in
      stopped?.request()
      stopped?.request()
    }
    scheduler.advance(toMilliseconds: 6)
    stopped = nil
    scheduler.run()
    #expect(entries == ["1 since 0 at 0 for 10.0, turn", "ended 2"])
    #expect(log.faults == [])
  }

  @Test("L7, W2: a host is the cause of a run that was due before the host came")
  func hosted() throws {
    try scheduler.run {
      let loop = watched { RefreshLoop(on: scheduler, label: "hosted") }
      loop.request()
      try await Task.sleep(for: .milliseconds(10), clock: scheduler.clock)
      async let host: Void = loop.run { try await Task.sleep(for: .milliseconds(5), clock: scheduler.clock) }
      try await Task.sleep(for: .milliseconds(20), clock: scheduler.clock)
      loop.request()
      await loop.finish()
      try await host
    }
    #expect(
      entries == ["1 since 0 at 10 for 5.0, host", "1 since 30 at 30 for 5.0, flush", "ended 0"])
  }

  @Test("O1, W4: an event that observes a model is a source")
  func observation() {
    let model = Model()
    let event = watched { ObservationEvent(on: scheduler, label: "model") { _ = model.title } }
    scheduler.run()
    let deliveries = log.records[0].deliveries.count
    model.title = "a"
    model.title = "b"
    scheduler.run()
    #expect("\(log.records[0].source.type)" == "ObservationEvent")
    #expect(log.records[0].deliveries.count == deliveries + 1)
    withExtendedLifetime(event) {}
  }
}
