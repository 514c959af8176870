import Dispatch
import SimpleEvents
import SimpleEventsTesting
import TestSupport
import Testing

/// C7, C9 and E6 for a collector: `isPending`, `cancel()`, `flush()` and deallocation.
struct CollectorControlTests {
  private let scheduler = TestScheduler()
  private let log = Log()

  private func collector(_ policy: CoalescingPolicy) -> CoalescingCollector<Int> {
    CoalescingCollector(on: scheduler, policy: policy, keeping: .newest(10)) { [log] batch in
      log.add("\(Array(batch)) \(batch.droppedCount)")
    }
  }

  @Test(
    "C7: a collector is pending from an addition to its delivery", arguments: CoalescingCallbackTests.policies
  )
  func isPending(_ policy: CoalescingPolicy) {
    let collector = collector(policy)
    #expect(!collector.isPending)
    collector.add(1)
    #expect(collector.isPending)
    scheduler.run()
    #expect(!collector.isPending)
    #expect(log.entries == ["[1] 0"])
    withExtendedLifetime(collector) {}
  }

  @Test(
    "C7, C9: cancel discards the elements and closes the window", arguments: CoalescingCallbackTests.policies)
  func cancel(_ policy: CoalescingPolicy) {
    let collector = collector(policy)
    collector.cancel()
    collector.add(contentsOf: 1...20)
    collector.cancel()
    collector.cancel()
    #expect(!collector.isPending)
    scheduler.run()
    #expect(log.entries == [])
    collector.add(2)
    #expect(collector.isPending)
    scheduler.run()
    #expect(log.entries == ["[2] 0"], "the count of dropped elements is discarded as well")
    withExtendedLifetime(collector) {}
  }

  @Test("C9: cancel discards elements that a leading-only policy ignored")
  func cancelIgnoredElements() {
    let collector = collector(.throttle(.milliseconds(10), edges: .leading))
    collector.add(1)
    scheduler.run()
    collector.add(2)
    collector.cancel()
    collector.add(3)
    scheduler.run()
    #expect(log.entries == ["[1] 0", "[3] 0"])
    withExtendedLifetime(collector) {}
  }

  @Test(
    "C7: flush delivers the elements once and closes the window", arguments: CoalescingCallbackTests.policies)
  func flush(_ policy: CoalescingPolicy) {
    let collector = collector(policy)
    collector.flush()
    #expect(log.entries == [], "nothing was pending")
    collector.add(1)
    collector.add(2)
    collector.flush()
    #expect(log.entries == ["[1, 2] 0"])
    #expect(!collector.isPending)
    scheduler.run()
    #expect(log.entries == ["[1, 2] 0"])
    collector.add(3)
    scheduler.run()
    #expect(log.entries == ["[1, 2] 0", "[3] 0"])
    withExtendedLifetime(collector) {}
  }

  @Test("C7: after a flush in the block the pending elements follow on the next turn")
  func flushInBlock() {
    weak var weakCollector: CoalescingCollector<Int>?
    let collector = CoalescingCollector<Int>(
      on: scheduler, policy: .debounce(.seconds(1)), keeping: .newest(10)
    ) { [scheduler, log] batch in
      log.add("\(scheduler.milliseconds): \(Array(batch))")
      if batch.first == 1 {
        weakCollector?.add(2)
        weakCollector?.flush()
        log.add("flushed")
      }
    }
    weakCollector = collector
    collector.add(1)
    collector.flush()
    scheduler.run()
    #expect(log.entries == ["0: [1]", "flushed", "0: [2]"])
    withExtendedLifetime(collector) {}
  }

  @Test("C7, C9: cancel in the block discards the elements added since the delivery started")
  func cancelInBlock() {
    weak var weakCollector: CoalescingCollector<Int>?
    let collector = CoalescingCollector<Int>(on: scheduler, keeping: .newest(10)) { [log] batch in
      log.add("\(Array(batch))")
      weakCollector?.add(2)
      weakCollector?.cancel()
    }
    weakCollector = collector
    collector.add(1)
    scheduler.run()
    #expect(log.entries == ["[1]"])
    withExtendedLifetime(collector) {}
  }

  @Test("C9, E6: a deallocated collector delivers nothing", arguments: CoalescingCallbackTests.policies)
  func deallocation(_ policy: CoalescingPolicy) {
    weak var weakCollector: CoalescingCollector<Int>?
    do {
      let collector = collector(policy)
      weakCollector = collector
      collector.add(1)
    }
    #expect(weakCollector == nil)
    scheduler.run()
    #expect(log.entries == [])
    #expect(scheduler.pendingCount == 0)
  }

  @Test("E6: a collector released by its block completes the delivery and starts no other")
  func releaseInBlock() {
    var collector: CoalescingCollector<Int>?
    collector = CoalescingCollector(on: scheduler, keeping: .newest(10)) { [log] batch in
      collector?.add(2)
      collector = nil
      log.add("\(Array(batch))")
    }
    collector?.add(1)
    scheduler.run()
    #expect(log.entries == ["[1]"])
  }

  @Test("C7, C12: a flush off the scheduler is flagged once, and not for each batch", .enabled(if: isDebug))
  func flushElsewhere() {
    let misuses = MisuseLog()
    let queue = DispatchQueue(label: "collector")
    queue.suspend()
    let collector = CoalescingCollector<Int>(
      on: queue, keeping: .unlimited, batchSize: 2, misuse: misuses.handler
    ) { @Sendable _ in }
    collector.add(contentsOf: 1...5)
    collector.flush()
    #expect(misuses.kinds == [.flushedOffScheduler] && collector.count == 0)
    queue.resume()
  }
}
