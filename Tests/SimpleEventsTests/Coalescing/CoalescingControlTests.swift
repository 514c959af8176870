import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C7 and E6 for a callback: `isPending`, `cancel()`, `flush()` and deallocation.
struct CoalescingControlTests {
  private let scheduler = TestScheduler()
  private let recorder: EventRecorder

  init() {
    recorder = EventRecorder(on: scheduler)
  }

  private func callback(_ policy: CoalescingPolicy) -> CoalescingCallback {
    CoalescingCallback(on: scheduler, policy: policy) { [recorder] in recorder.record() }
  }

  @Test(
    "C7: cancel drops the pending delivery and closes the window",
    arguments: CoalescingCallbackTests.policies)
  func cancel(_ policy: CoalescingPolicy) {
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

  @Test(
    "C7: flush makes the pending delivery once, and closes the window",
    arguments: CoalescingCallbackTests.policies)
  func flush(_ policy: CoalescingPolicy) {
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
    #expect(recorder.count == 2, "the window is closed, so that the signal opens another one")
    withExtendedLifetime(callback) {}
  }

  @Test("C7: after a flush in the closure the pending delivery follows on the next turn")
  func flushInClosure() {
    let log = Log()
    weak var weakCallback: CoalescingCallback?
    let callback = CoalescingCallback(on: scheduler, policy: .debounce(.seconds(1))) { [scheduler] in
      log.add("\(scheduler.milliseconds)")
      if log.entries.count == 1 {
        weakCallback?.schedule()
        weakCallback?.flush()
        log.add("flushed")
      }
    }
    weakCallback = callback
    callback.schedule()
    callback.flush()
    scheduler.run()
    #expect(log.entries == ["0", "flushed", "0"])
    withExtendedLifetime(callback) {}
  }

  @Test("C7: cancel in the closure drops the signals that came during the delivery")
  func cancelInClosure() {
    let log = Log()
    weak var weakCallback: CoalescingCallback?
    let callback = CoalescingCallback(on: scheduler) {
      log.add("run")
      weakCallback?.schedule()
      weakCallback?.cancel()
    }
    weakCallback = callback
    callback.schedule()
    scheduler.run()
    #expect(log.entries == ["run"])
    withExtendedLifetime(callback) {}
  }

  @Test(
    "C7, E6: a deallocated callback delivers nothing",
    arguments: CoalescingCallbackTests.policies)
  func deallocation(_ policy: CoalescingPolicy) {
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

  @Test("C7: deallocation cancels the timer")
  func deallocationCancelsTimer() {
    do {
      let callback = callback(.debounce(.seconds(1)))
      callback.schedule()
      #expect(scheduler.pendingCount == 1)
    }
    #expect(scheduler.pendingCount == 0)
  }

  @Test("C7, E6: a callback released by its closure completes the delivery and starts no other")
  func releaseInClosure() {
    var callback: CoalescingCallback?
    var count = 0
    callback = CoalescingCallback(on: scheduler) {
      count += 1
      callback?.schedule()
      callback = nil
    }
    callback?.schedule()
    scheduler.run()
    #expect(count == 1)
  }
}
