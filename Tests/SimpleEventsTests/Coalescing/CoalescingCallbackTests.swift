import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C1 to C3, C5 and C8 for a callback, in virtual time.
struct CoalescingCallbackTests {
  /// One policy of each row of the table of policies, with a window of 10 ms.
  static let policies: [CoalescingPolicy] = [
    .nextTurn,
    .debounce(.milliseconds(10)),
    .debounce(.milliseconds(10), maxWait: .milliseconds(25)),
    .debounce(.milliseconds(10), edges: .leading),
    .debounce(.milliseconds(10), edges: [.leading, .trailing]),
    .throttle(.milliseconds(10)),
    .throttle(.milliseconds(10), edges: .leading),
    .throttle(.milliseconds(10), edges: .trailing),
    .audit(.milliseconds(10)),
  ]

  private let scheduler = TestScheduler()
  private let recorder: EventRecorder

  init() {
    recorder = EventRecorder(on: scheduler)
  }

  private func callback(_ policy: CoalescingPolicy) -> CoalescingCallback {
    CoalescingCallback(on: scheduler, policy: policy) { [recorder] in recorder.record() }
  }

  @Test(
    "C1: a signal during a delivery gives at most one more, when the policy allows one", arguments: policies)
  func signalDuringDelivery(_ policy: CoalescingPolicy) {
    let log = Log()
    var isRunning = false
    weak var weakCallback: CoalescingCallback?
    let callback = CoalescingCallback(on: scheduler, policy: policy) { [scheduler] in
      #expect(!isRunning)
      isRunning = true
      log.add("\(scheduler.milliseconds)")
      if log.entries.count == 1 {
        weakCallback?.schedule()
        weakCallback?.schedule()
      }
      isRunning = false
    }
    weakCallback = callback
    callback.schedule()
    scheduler.run()
    let expected: [CoalescingPolicy: [String]] = [
      .nextTurn: ["0", "0"],
      .debounce(.milliseconds(10), edges: .leading): ["0"],
      .throttle(.milliseconds(10), edges: .leading): ["0"],
      .debounce(.milliseconds(10), edges: [.leading, .trailing]): ["0", "10"],
      .throttle(.milliseconds(10)): ["0", "10"],
    ]
    #expect(log.entries == expected[policy] ?? ["10", "20"])
    withExtendedLifetime(callback) {}
  }

  @Test("C2, C3: one delivery covers all signals before it, with one turn and one timer", arguments: policies)
  func oneDeliveryCoversAllSignals(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    for _ in 0..<10_000 { callback.schedule() }
    #expect(recorder.count == 0, "schedule does not run the closure")
    #expect(callback.isPending)
    #expect(scheduler.pendingCount <= 2, "at most one turn and one timer")
    scheduler.run()
    #expect(recorder.count == 1)
    #expect(!callback.isPending)
    withExtendedLifetime(callback) {}
  }

  @Test("C3: cancelling and scheduling again accumulates neither turns nor timers", arguments: policies)
  func cancelAndSchedule(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    for _ in 0..<1000 {
      callback.schedule()
      callback.cancel()
    }
    #expect(scheduler.pendingCount <= 1)
    callback.schedule()
    scheduler.run()
    #expect(recorder.count == 1)
    withExtendedLifetime(callback) {}
  }

  @Test("C5: a leading delivery is asynchronous and covers the signals before it")
  func leadingDelivery() {
    let callback = callback(.throttle(.milliseconds(10)))
    callback.schedule()
    #expect(recorder.count == 0)
    callback.schedule()
    scheduler.run()
    #expect(recorder.milliseconds == [0])
    withExtendedLifetime(callback) {}
  }

  @Test("C8: a maxWait below the interval is raised to the interval")
  func shortMaxWait() {
    expectTimeline(
      """
      abcdefghijklmnopqrstu
      ----------k---------u
      """, by: .debounce(.milliseconds(10), maxWait: .milliseconds(1)))
  }
}
