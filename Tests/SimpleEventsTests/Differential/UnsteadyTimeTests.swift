import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// The contracts under timers that fire early, late, or all at the same time after a pause.
struct UnsteadyTimeTests {
  // All windows are ten milliseconds long. A leading-only policy arms no timer.

  private static let leadingOnly: [CoalescingPolicy] = [
    .debounce(.milliseconds(10), edges: .leading), .throttle(.milliseconds(10), edges: .leading),
  ]
  private static let timed: [CoalescingPolicy] = [
    .debounce(.milliseconds(10)), .debounce(.milliseconds(10), maxWait: .milliseconds(25)),
    .debounce(.milliseconds(10), edges: [.leading, .trailing]), .throttle(.milliseconds(10)),
    .throttle(.milliseconds(10), edges: .trailing), .audit(.milliseconds(10)),
  ]
  private static let all: [CoalescingPolicy] = [.nextTurn] + leadingOnly + timed

  /// Returns the instants of the deliveries for signals at given instants, all in milliseconds.
  private func deliveries(
    _ policy: CoalescingPolicy, _ signals: [Int], cancelAt: Int? = nil, flushAt: Int? = nil,
    on makeScheduler: (TestScheduler) -> any EventScheduler
  ) -> [Int] {
    let scheduler = TestScheduler()
    let recorder = EventRecorder(on: scheduler)
    let callback = CoalescingCallback(on: makeScheduler(scheduler), policy: policy) {
      recorder.record()
    }
    for signal in signals {
      scheduler.at(signal) { callback.schedule() }
    }
    if let cancelAt {
      scheduler.at(cancelAt) { callback.cancel() }
    }
    if let flushAt {
      scheduler.at(flushAt) { callback.flush() }
    }
    scheduler.run()
    withExtendedLifetime(callback) {}
    return recorder.milliseconds
  }

  private func randomSignals(_ seed: UInt64) -> [Int] {
    var random = SeededGenerator(seed: seed)
    let density = Int.random(in: 1...15, using: &random)
    var tick = 0
    return (0..<Int.random(in: 1...30, using: &random)).map { _ in
      tick += Int.random(in: 0...density, using: &random)
      return tick
    }
  }

  @Test("S1: a timer that fires early is armed again, and the deliveries stay the same", arguments: all)
  func earlyTimers(_ policy: CoalescingPolicy) {
    for seed in Stress.seeds(500) {
      let signals = randomSignals(seed)
      let steady = deliveries(policy, signals) { $0 }
      let early = deliveries(policy, signals) { UnsteadyScheduler.early($0) }
      #expect(early == steady, "seed \(seed), signals \(signals)")
      guard early == steady else { return }
    }
  }

  @Test("C6: late timers do not affect a leading-only policy", arguments: leadingOnly)
  func lateTimersWithLeadingEdgeOnly(_ policy: CoalescingPolicy) {
    for seed in Stress.seeds(500) {
      let signals = randomSignals(seed)
      let steady = deliveries(policy, signals) { $0 }
      let late = deliveries(policy, signals) { UnsteadyScheduler.late($0, by: .milliseconds(7)) }
      #expect(late == steady, "seed \(seed), signals \(signals)")
    }
  }

  /// The end of a window depends only on the signals. A signal between the end and the late timer is part of
  /// the delivery.
  @Test(
    "C2, C6: a late timer delays a delivery by no more than its own lateness and loses no signal",
    arguments: [CoalescingPolicy.debounce(.milliseconds(10)), .audit(.milliseconds(10))], [3, 7, 30])
  func lateTimersDelayDeliveries(_ policy: CoalescingPolicy, _ lateness: Int) {
    for seed in Stress.seeds(500) {
      let signals = randomSignals(seed)
      let deliveries = deliveries(policy, signals) {
        UnsteadyScheduler.late($0, by: .milliseconds(lateness))
      }
      var pending = signals[...]
      for delivery in deliveries {
        guard var end = pending.popFirst().map({ $0 + 10 }) else {
          Issue.record("seed \(seed), signals \(signals): \(delivery) of \(deliveries) covers no signal")
          return
        }
        while let next = pending.first, next <= delivery {
          pending.removeFirst()
          if next <= end && policy == .debounce(.milliseconds(10)) { end = next + 10 }
        }
        #expect(end...end + lateness ~= delivery, "seed \(seed), signals \(signals), \(deliveries)")
      }
      #expect(pending.isEmpty, "seed \(seed), signals \(signals), \(deliveries) lose \(pending)")
    }
  }

  @Test(
    "C2, C6: with late timers each delivery covers a signal, no signal is lost, and the rate is kept",
    arguments: timed, [3, 7, 30])
  func lateTimersKeepRate(_ policy: CoalescingPolicy, _ lateness: Int) {
    for seed in Stress.seeds(500) {
      let signals = randomSignals(seed)
      let deliveries = deliveries(policy, signals) {
        UnsteadyScheduler.late($0, by: .milliseconds(lateness))
      }
      let context: Comment = "seed \(seed), signals \(signals), deliveries \(deliveries)"
      #expect(deliveries.last! >= signals.last!, context)
      for (earlier, later) in zip([-1] + deliveries, deliveries) {
        #expect(signals.contains { earlier < $0 && $0 <= later }, context)
      }
      let span = deliveries.last! - deliveries.first! + lateness
      #expect(deliveries.count <= span / 10 + 2, context)
    }
  }

  /// The signals are at 0, 5 and 103 ms. No timer fires in the pause from 8 to 100 ms.
  @Test(
    "C6: after a pause the windows that have passed deliver once",
    arguments: [
      (CoalescingPolicy.nextTurn, [0, 5, 103]),
      (.debounce(.milliseconds(10)), [100, 113]),
      (.debounce(.milliseconds(10), maxWait: .milliseconds(15)), [100, 113]),
      (.debounce(.milliseconds(10), edges: [.leading, .trailing]), [0, 100, 103]),
      (.throttle(.milliseconds(10)), [0, 100, 103]),
      (.throttle(.milliseconds(10), edges: .trailing), [100, 113]),
      (.audit(.milliseconds(10)), [100, 113]),
    ])
  func pause(_ policy: CoalescingPolicy, _ expected: [Int]) {
    #expect(deliveries(policy, [0, 5, 103]) { UnsteadyScheduler.paused($0, 8...100) } == expected)
  }

  @Test("C1, C4: callbacks whose timers fire together after a pause deliver once each")
  func pauseOfManyCallbacks() {
    let base = TestScheduler()
    let scheduler = UnsteadyScheduler.paused(base, 8...100)
    var log: [String] = []
    let callbacks = Self.timed.enumerated().map { index, policy in
      CoalescingCallback(on: scheduler, policy: policy) { log.append("\(index)") }
    }
    base.advance(toMilliseconds: 1)
    callbacks.forEach { $0.schedule() }
    base.advance(toMilliseconds: 2)
    callbacks.forEach { $0.schedule() }
    base.advance(toMilliseconds: 99)
    // These are the leading edges of the two policies that have one.
    #expect(log == ["2", "3"])
    base.advance(toMilliseconds: 100)
    #expect(log.dropFirst(2).sorted() == ["0", "1", "2", "3", "4", "5"])
    base.run()
    #expect(log.count == 8)
    #expect(base.pendingCount == 0)
    withExtendedLifetime(callbacks) {}
  }

  @Test("C5: signals before a late turn are part of its delivery")
  func lateTurn() {
    func deliveries(_ policy: CoalescingPolicy) -> [Int] {
      self.deliveries(policy, [0, 1, 2, 3, 4]) { base in
        UnsteadyScheduler(base, turnDelay: .milliseconds(3)) { _, deadline in deadline }
      }
    }
    #expect(deliveries(.nextTurn) == [3, 7])
    #expect(deliveries(.throttle(.milliseconds(10))) == [3, 10], "C10: a deadline needs no turn")
    #expect(deliveries(.debounce(.milliseconds(10), edges: .leading)) == [3])
  }

  @Test("C7: a delivery that a late timer holds back can be cancelled or flushed", arguments: timed)
  func cancelAndFlushBeforeLateTimer(_ policy: CoalescingPolicy) {
    let late: (TestScheduler) -> any EventScheduler = { UnsteadyScheduler.late($0, by: .milliseconds(50)) }
    let leading = policy == Self.timed[2] || policy == Self.timed[3] ? [0] : []
    #expect(deliveries(policy, [0, 5], cancelAt: 30, on: late) == leading)
    #expect(deliveries(policy, [0, 5], flushAt: 30, on: late) == leading + [30])
  }
}
