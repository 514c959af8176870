import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C4: the timers, turns and clock readings that a callback requests from its scheduler.
struct CoalescingCostTests {
  /// Signals a callback at each instant, and returns the counts of its scheduler.
  private func counts(
    _ policy: CoalescingPolicy, signalsAt instants: some Sequence<Int>
  ) -> CountingScheduler.Counts {
    let scheduler = TestScheduler()
    let counting = CountingScheduler(scheduler)
    let callback = CoalescingCallback(on: counting, policy: policy) {}
    for instant in instants {
      scheduler.at(instant) { callback.schedule() }
    }
    scheduler.run()
    withExtendedLifetime(callback) {}
    return counting.counts
  }

  @Test("C4: a steady storm arms about one timer per interval, one at a time")
  func steadyStorm() {
    let counts = self.counts(.debounce(.milliseconds(10)), signalsAt: 0..<1000)
    #expect(counts.armed <= 1010 / 10 + 2)
    #expect(counts.turns == 0, "C10: a delivery at a deadline asks for no turn")
    #expect(counts.mostAtOnce == 1)
  }

  @Test("C4: no storm arms more than two timers per interval")
  func worstStorm() {
    // This is the pattern with the most alarms: a signal at the instant of each alarm, and a signal directly
    // after it.
    let instants = stride(from: 0, to: 1000, by: 10).flatMap { [$0, $0 + 1] }
    let counts = self.counts(.debounce(.milliseconds(10)), signalsAt: instants)
    #expect(counts.armed <= 2 * 1010 / 10 + 2)
    #expect(counts.mostAtOnce == 1)
  }

  @Test(
    "C4: throttle and audit arm one timer per window",
    arguments: [CoalescingPolicy.throttle(.milliseconds(10)), .audit(.milliseconds(10))])
  func oneTimerPerWindow(_ policy: CoalescingPolicy) {
    let counts = self.counts(policy, signalsAt: 0..<1000)
    #expect(counts.armed <= 102)
    #expect(counts.mostAtOnce == 1)
  }

  @Test(
    "C4: next turn and leading-only policies arm no timer",
    arguments: [
      CoalescingPolicy.nextTurn, .throttle(.milliseconds(10), edges: .leading),
      .debounce(.milliseconds(10), edges: .leading),
    ])
  func noTimer(_ policy: CoalescingPolicy) {
    #expect(counts(policy, signalsAt: 0..<1000).armed == 0)
  }

  @Test(
    "C4: a signal reads the clock only if the policy depends on its time",
    arguments: [
      (CoalescingPolicy.nextTurn, 0),
      // Every signal moves the end of the window.
      (.debounce(.milliseconds(10)), 1000),
      // The first signal opens the window.
      (.throttle(.milliseconds(10)), 1),
      (.throttle(.milliseconds(10), edges: .trailing), 1),
      (.audit(.milliseconds(10)), 1),
      // The time of a signal decides whether the signal is ignored or delivered.
      (.throttle(.milliseconds(10), edges: .leading), 1000),
    ])
  func clockReads(_ policy: CoalescingPolicy, _ reads: Int) {
    let counting = CountingScheduler(TestScheduler())
    let callback = CoalescingCallback(on: counting, policy: policy) {}
    for _ in 0..<1000 { callback.schedule() }
    #expect(counting.counts.clockReads == reads)
    withExtendedLifetime(callback) {}
  }

  @Test("C4, C12: each full batch arms at most one timer, one at a time, and no timer stays armed")
  func fullBatches() {
    let scheduler = TestScheduler()
    let counting = CountingScheduler(scheduler)
    let collector = CoalescingCollector<Int>(
      on: counting, policy: .audit(.seconds(5)), keeping: .unlimited, batchSize: 2
    ) { _ in }
    for number in 0..<200 {
      scheduler.at(number) { collector.add(number) }
    }
    scheduler.advance(by: .milliseconds(200))
    #expect(counting.counts.armed == 100, "the first element of each batch opens a window")
    #expect(counting.counts.mostAtOnce == 1 && counting.counts.pending == 0)
    withExtendedLifetime(collector) {}
  }
}
