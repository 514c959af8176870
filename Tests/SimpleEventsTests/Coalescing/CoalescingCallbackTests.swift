import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

@Suite struct CoalescingCallbackTests {
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
    recorder = EventRecorder(scheduler: scheduler)
  }

  private func callback(_ policy: CoalescingPolicy) -> CoalescingCallback {
    CoalescingCallback(scheduler: scheduler, policy: policy) { [recorder] in recorder.record() }
  }

  @Test(arguments: policies)
  func `C1 a signal during the callback gives exactly one more, as the policy has it`(
    _ policy: CoalescingPolicy
  ) {
    let log = Log()
    var isRunning = false
    weak var callback: CoalescingCallback?
    let strong = CoalescingCallback(scheduler: scheduler, policy: policy) { [scheduler] in
      #expect(!isRunning)
      isRunning = true
      log.add("\(scheduler.now.nanoseconds / 1_000_000)")
      if log.entries.count == 1 {
        callback?.schedule()
        callback?.schedule()
      }
      isRunning = false
    }
    callback = strong
    strong.schedule()
    scheduler.run()
    let expected: [CoalescingPolicy: [String]] = [
      .nextTurn: ["0", "0"],
      .debounce(.milliseconds(10), edges: .leading): ["0"],
      .throttle(.milliseconds(10), edges: .leading): ["0"],
      .debounce(.milliseconds(10), edges: [.leading, .trailing]): ["0", "10"],
      .throttle(.milliseconds(10)): ["0", "10"],
    ]
    #expect(log.entries == expected[policy] ?? ["10", "20"])
    withExtendedLifetime(strong) {}
  }

  @Test(arguments: policies)
  func `C2 C3 however many signals, one delivery covers those before it`(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    for _ in 0..<10_000 { callback.schedule() }
    #expect(recorder.count == 0, "schedule never runs the closure itself")
    #expect(callback.isPending)
    #expect(scheduler.pendingCount <= 2, "one turn and one timer at the most")
    scheduler.run()
    #expect(recorder.count == 1)
    #expect(!callback.isPending)
    withExtendedLifetime(callback) {}
  }

  @Test(arguments: policies)
  func `C3 cancelling and asking again does not pile up turns or timers`(_ policy: CoalescingPolicy) {
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

  @Test func `C4 a storm re-arms once for each interval that passes`() {
    let counting = CountingScheduler(scheduler)
    let callback = CoalescingCallback(scheduler: counting, policy: .debounce(.milliseconds(10))) {}
    for instant in 0..<1000 {
      scheduler.at(instant) { callback.schedule() }
    }
    scheduler.run()
    #expect(counting.armed <= 1010 / 10 + 2)
    #expect(counting.turns == 1)
    #expect(counting.mostAtOnce == 1)
    withExtendedLifetime(callback) {}
  }

  @Test func `C4 the worst storm re-arms twice for each interval`() {
    // Two signals an interval, placed right after each timer: no single timer can do with less.
    let counting = CountingScheduler(scheduler)
    let callback = CoalescingCallback(scheduler: counting, policy: .debounce(.milliseconds(10))) {}
    for instant in stride(from: 0, to: 1000, by: 10) {
      scheduler.at(instant) { callback.schedule() }
      scheduler.at(instant + 1) { callback.schedule() }
    }
    scheduler.run()
    #expect(counting.armed <= 2 * 1010 / 10 + 2)
    #expect(counting.mostAtOnce == 1)
    withExtendedLifetime(callback) {}
  }

  @Test func `C4 throttle and audit arm one timer a window, and leading ones none`() {
    for (policy, bound) in [
      (CoalescingPolicy.throttle(.milliseconds(10)), 102), (.audit(.milliseconds(10)), 102),
      (.throttle(.milliseconds(10), edges: .leading), 0), (.debounce(.milliseconds(10), edges: .leading), 0),
      (.nextTurn, 0),
    ] {
      let scheduler = TestScheduler()
      let counting = CountingScheduler(scheduler)
      let callback = CoalescingCallback(scheduler: counting, policy: policy) {}
      for instant in 0..<1000 {
        scheduler.at(instant) { callback.schedule() }
      }
      scheduler.run()
      #expect(counting.armed <= bound)
      #expect(counting.mostAtOnce <= 1)
    }
  }

  @Test func `the clock is read once for each debounced signal, and not at all where time is no matter`() {
    for (policy, reads) in [
      (CoalescingPolicy.nextTurn, 0), (.debounce(.milliseconds(10)), 1000),
      // Once for the window.
      (.throttle(.milliseconds(10)), 1), (.throttle(.milliseconds(10), edges: .trailing), 1),
      (.audit(.milliseconds(10)), 1),
      // Whether a signal is ignored depends on when it came.
      (.throttle(.milliseconds(10), edges: .leading), 1000),
    ] {
      let counting = CountingScheduler(TestScheduler())
      let callback = CoalescingCallback(scheduler: counting, policy: policy) {}
      for _ in 0..<1000 { callback.schedule() }
      #expect(counting.clockReads == reads)
      withExtendedLifetime(callback) {}
    }
  }

  @Test func `C5 a leading delivery is asynchronous, and takes in what came before it`() {
    let callback = callback(.throttle(.milliseconds(10)))
    callback.schedule()
    #expect(recorder.count == 0)
    callback.schedule()
    scheduler.run()
    #expect(recorder.milliseconds == [0])
    withExtendedLifetime(callback) {}
  }

  @Test(arguments: policies)
  func `C7 cancel drops what is pending, and the next signal starts afresh`(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    callback.cancel()
    callback.schedule()
    callback.cancel()
    #expect(!callback.isPending)
    scheduler.run()
    #expect(recorder.count == 0)
    callback.schedule()
    #expect(callback.isPending)
    scheduler.run()
    #expect(recorder.count == 1)
    withExtendedLifetime(callback) {}
  }

  @Test(arguments: policies)
  func `C7 flush delivers what is pending now, once`(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    callback.flush()
    #expect(recorder.count == 0, "nothing was pending")
    callback.schedule()
    callback.flush()
    #expect(recorder.count == 1)
    #expect(!callback.isPending)
    scheduler.run()
    #expect(recorder.count == 1)
    callback.schedule()
    scheduler.run()
    #expect(recorder.count == 2, "the window was closed")
    withExtendedLifetime(callback) {}
  }

  @Test func `C7 flush from inside the closure makes the pending delivery follow`() {
    let log = Log()
    weak var callback: CoalescingCallback?
    let strong = CoalescingCallback(scheduler: scheduler, policy: .debounce(.seconds(1))) { [scheduler] in
      log.add("\(scheduler.now.nanoseconds / 1_000_000)")
      if log.entries.count == 1 {
        callback?.schedule()
        callback?.flush()
        log.add("flushed")
      }
    }
    callback = strong
    strong.schedule()
    strong.flush()
    scheduler.run()
    #expect(log.entries == ["0", "flushed", "0"])
    withExtendedLifetime(strong) {}
  }

  @Test func `C7 cancel from inside the closure drops what came meanwhile`() {
    let log = Log()
    weak var callback: CoalescingCallback?
    let strong = CoalescingCallback(scheduler: scheduler) {
      log.add("run")
      callback?.schedule()
      callback?.cancel()
    }
    callback = strong
    strong.schedule()
    scheduler.run()
    #expect(log.entries == ["run"])
    withExtendedLifetime(strong) {}
  }

  @Test(arguments: policies)
  func `C7 E6 deallocation cancels, the turn and the timer included`(_ policy: CoalescingPolicy) {
    weak var weakCallback: CoalescingCallback?
    do {
      let callback = callback(policy)
      weakCallback = callback
      callback.schedule()
    }
    #expect(weakCallback == nil)
    scheduler.run()
    #expect(recorder.count == 0)
  }

  @Test func `C7 deallocation gives back the timer`() {
    do {
      let callback = callback(.debounce(.seconds(1)))
      callback.schedule()
      #expect(scheduler.pendingCount == 1)
    }
    #expect(scheduler.pendingCount == 0)
  }

  @Test func `the closure may drop its callback`() {
    var callback: CoalescingCallback?
    var count = 0
    callback = CoalescingCallback(scheduler: scheduler) {
      count += 1
      callback?.schedule()
      callback = nil
    }
    callback?.schedule()
    scheduler.run()
    #expect(count == 1)
  }

  @Test func `C8 a maxWait below the interval is raised to it`() {
    let callback = callback(.debounce(.milliseconds(10), maxWait: .milliseconds(1)))
    for instant in 0...20 {
      scheduler.at(instant) { callback.schedule() }
    }
    scheduler.run()
    #expect(recorder.milliseconds == [10, 20])
    withExtendedLifetime(callback) {}
  }
}
