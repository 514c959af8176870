import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// C4: the turns, timers and clock readings of a loop.
struct RefreshCostTests {
  private let scheduler = TestScheduler()

  @Test("C4: requests while a delivery is pending request no turn, arm no timer and read no clock")
  func pendingRequests() {
    let counting = CountingScheduler(scheduler)
    let log = Log()
    let loop = RefreshLoop(on: counting) { log.add("run") }
    for _ in 0..<1000 { loop.request() }
    #expect(counting.counts.turns == 0)
    #expect(counting.counts.armed == 0)
    #expect(counting.counts.clockReads == 0)
    scheduler.run()
    #expect(log.entries == ["run"])
  }

  @Test(
    "C4: a run takes no turn, and a request during a run takes one", arguments: RefreshLoop.WhenBusy.modes)
  func run(_ whenBusy: RefreshLoop.WhenBusy) {
    let counting = CountingScheduler(scheduler)
    let script = RefreshScript(scheduler, [.ms(10)])
    let loop = RefreshLoop(on: counting, whenBusy: whenBusy) {
      try await script.body()
    } onError: { _ in
    }
    for _ in 1...10 {
      loop.request()
      scheduler.run()
    }
    #expect(script.count == 10)
    #expect(counting.counts.turns == 0)
    loop.request()
    scheduler.advance(by: .milliseconds(1))
    loop.request()
    scheduler.run()
    #expect(counting.counts.turns == 1)
  }

  @Test("C4: a storm of requests arms one timer for each window", arguments: RefreshLoop.WhenBusy.modes)
  func storm(_ whenBusy: RefreshLoop.WhenBusy) {
    let counting = CountingScheduler(scheduler)
    let script = RefreshScript(scheduler, [.ms(3)])
    let loop = RefreshLoop(on: counting, policy: .throttle(.milliseconds(10)), whenBusy: whenBusy) {
      try await script.body()
    } onError: { _ in
    }
    for instant in 0..<1000 { scheduler.at(instant) { loop.request() } }
    scheduler.run()
    #expect(counting.counts.armed <= 102)
    #expect(counting.counts.mostAtOnce == 1)
    #expect(script.count == 101)
  }
}
