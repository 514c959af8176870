import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// K2, K3: the memory of keys, and the turns and timers that an object uses for all its keys, in virtual
/// time.
struct KeyedCostTests {
  private let base = TestScheduler()
  private let scheduler: CountingScheduler
  private let calls = Shared(0)

  init() { scheduler = CountingScheduler(base) }

  private func callback(_ policy: CoalescingPolicy) -> KeyedCallback<Int> {
    KeyedCallback(on: scheduler, policy: policy) { [calls] _ in calls.change { $0 += 1 } }
  }

  @Test("K2: keys that came and went leave no entry", arguments: Policies.all)
  func quietKeys(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    for key in 0..<1000 {
      callback.schedule(key)
      if key % 3 == 0 { callback.schedule(key) }
      if key % 100 == 0 { base.advance(by: .milliseconds(7)) }
    }
    base.advance(by: .milliseconds(40))
    #expect(calls.value >= 1000)
    #expect(callback.pendingCount == 0)
    #expect(callback.keys.entryCount == 0)
    #expect(base.pendingCount == 0, "no timer is left")
  }

  @Test("K2: a cancelled or flushed key leaves no entry", arguments: Policies.all)
  func endedKeys(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    for key in 0..<100 { callback.schedule(key) }
    for key in 0..<50 { callback.cancel(key) }
    for key in 50..<100 { callback.flush(key) }
    // The keys are due, so a turn was requested for them.
    if policy == .nextTurn || policy.edges.contains(.leading) { base.advance() }
    #expect(callback.keys.entryCount == 0)
    #expect(base.pendingCount == 0)
    for key in 0..<100 { callback.schedule(key) }
    callback.cancelAll()
    #expect(callback.keys.entryCount == 0)
    base.run()
    #expect(calls.value == 50)
  }

  @Test(
    "K2: windows without a trailing edge are removed by later signals, and finally by one alarm",
    arguments: Policies.all.filter { $0.edges == .leading })
  func leadingWindows(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    for key in 0..<100 { callback.schedule(key) }
    base.advance(by: .milliseconds(10))
    #expect(callback.keys.entryCount == 100, "a signal at the end of a window belongs to it")
    base.advance(by: .milliseconds(1))
    for key in 100..<110 { callback.schedule(key) }
    #expect(callback.keys.entryCount == 90, "each signal has forgotten two keys, and added one")
    let armed = scheduler.counts.armed
    base.run()
    #expect(base.milliseconds <= 31)
    #expect(callback.keys.entryCount == 0)
    #expect(scheduler.counts.armed - armed <= 1, "at most one more alarm")
    #expect(calls.value == 110)
  }

  @Test("K2, C6: a window without a trailing edge that was moved is not removed before its end")
  func movedWindow() {
    let callback = callback(.debounce(.milliseconds(10), edges: .leading))
    for time in [0, 9, 18, 27, 36, 45] { base.at(time) { callback.schedule(1) } }
    base.at(50) { callback.schedule(2) }
    base.at(55) { callback.schedule(1) }
    base.run()
    #expect(calls.value == 2)
    #expect(callback.keys.entryCount == 0)
  }

  @Test("K3: one turn and one timer serve all keys", arguments: Policies.all)
  func oneTurnAndOneTimer(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    for key in 0..<1000 { for _ in 0..<2 { callback.schedule(key) } }
    #expect(base.pendingCount <= 2)
    base.advance(by: .milliseconds(5))
    for key in 0..<1000 { callback.schedule(key) }
    base.run()
    let counts = scheduler.counts
    #expect(counts.mostAtOnce <= 1, "one timer at a time")
    #expect(counts.turns <= 2)
    #expect(counts.armed <= 4)
  }

  @Test("K3, C4: a storm on many keys arms one timer per interval", arguments: Policies.all)
  func storm(_ policy: CoalescingPolicy) {
    let callback = callback(policy)
    let duration = Stress.size(1000)
    for time in 0..<duration {
      for key in 0..<20 { callback.schedule(key) }
      base.advance(toMilliseconds: time + 1)
    }
    let counts = scheduler.counts
    #expect(counts.mostAtOnce <= 1)
    #expect(counts.armed <= 2 * duration / 10 + 2)
    withExtendedLifetime(callback) {}
  }

  @Test("K3: cancelled keys leave at most one timer, and the timer fires once")
  func cancelledTimer() {
    let callback = callback(.audit(.milliseconds(10)))
    for round in 0..<1000 {
      callback.schedule(round)
      callback.cancel(round)
    }
    #expect(base.pendingCount == 0)
    callback.schedule(1)
    base.advance(by: .milliseconds(5))
    callback.schedule(2)
    callback.cancel(1)
    base.run()
    #expect(base.milliseconds == 15)
    #expect(calls.value == 1)
    #expect(base.pendingCount == 0)
  }

  @Test("K2: the memory of many keys is released while one key stays")
  func memoryBesideOneKey() {
    let callback = callback(.debounce(.milliseconds(10)))
    for key in 0..<1000 {
      base.at(0) { callback.schedule(key) }
    }
    for time in stride(from: 0, to: 100, by: 5) { base.at(time) { callback.schedule(-1) } }
    base.advance(toMilliseconds: 50)
    #expect(callback.isPending(-1))
    #expect(callback.keys.entryCount == 1)
    #expect(callback.keys.capacity < 100)
    base.run()
    #expect(calls.value == 1001)
  }
}
