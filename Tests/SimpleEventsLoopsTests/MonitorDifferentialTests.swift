import SimpleEvents
import SimpleEventsLoops
import SimpleEventsTesting
import TestSupport
import Testing

/// W2 on random programs: compares the monitor's counts with the counts of the calls.
struct MonitorDifferentialTests {
  private struct Failure: Error {}

  /// The counts that a program knows without the monitor.
  private struct Expected {
    var signals: Int = 0
    var deliveries: Int = 0
  }

  @Test("W2: the counts of a callback are exact on random programs", arguments: Policies.all)
  func callbacks(_ policy: CoalescingPolicy) {
    for seed in Stress.seeds(1000) {
      let (scheduler, log) = (TestScheduler(), MonitorLog())
      var random = SeededGenerator(seed: seed)
      var expected = Expected()
      var callback: CoalescingCallback? = withCoalescingMonitor(log) {
        CoalescingCallback(on: scheduler, policy: policy) { expected.deliveries += 1 }
      }
      for _ in 0..<30 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: callback?.cancel()
        case 1: callback?.flush()
        case 2...3: scheduler.advance(by: .milliseconds(Int.random(in: 0...12, using: &random)))
        default:
          callback?.schedule()
          expected.signals += 1
        }
        let statistics = log.records[0].source.statistics
        guard (statistics.pendingSignalCount > 0) == (callback?.isPending == true),
          statistics.deliveryCount == expected.deliveries
        else {
          Issue.record("seed \(seed): \(statistics)")
          return
        }
      }
      let statistics = log.records[0].source.statistics
      let ignoresSignals = policy.ignoresSignals
      callback = nil
      guard log.records[0].signals == statistics.signalCount, log.faults == [],
        ignoresSignals
          ? statistics.signalCount <= expected.signals : statistics.signalCount == expected.signals,
        log.records[0].deliveries.count == expected.deliveries, log.records[0].unsent != nil
      else {
        Issue.record("seed \(seed): \(log.entries)")
        return
      }
    }
  }

  @Test(
    "W2: the counts of a loop are exact on random programs", arguments: Policies.all,
    [RefreshLoop.WhenBusy.rerun, .restart, .ignore])
  func loops(_ policy: CoalescingPolicy, _ whenBusy: RefreshLoop.WhenBusy) {
    for seed in Stress.seeds(500) {
      let (scheduler, log) = (TestScheduler(), MonitorLog())
      var random = SeededGenerator(seed: seed)
      let (signals, runs) = (Shared(0), Shared(0))
      let script = Shared(SeededGenerator(seed: seed + 1))
      var loop: RefreshLoop? = withCoalescingMonitor(log) {
        RefreshLoop(
          on: scheduler, policy: policy, whenBusy: whenBusy, retry: .constant(.milliseconds(5))
        ) {
          runs.change { $0 += 1 }
          try await Task.sleep(
            for: .milliseconds(script.change { Int.random(in: 0...8, using: &$0) }), clock: scheduler.clock)
          if script.change({ Int.random(in: 0..<4, using: &$0) }) == 0 { throw Failure() }
        } onError: { _ in
        }
      }
      for _ in 0..<30 {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: loop?.cancel()
        case 1: loop?.flush()
        case 2: loop?.cancelRun()
        case 3...6: scheduler.advance(by: .milliseconds(Int.random(in: 0...12, using: &random)))
        default:
          loop?.request()
          signals.change { $0 += 1 }
        }
      }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: Task(executorPreference: scheduler) { [loop] in await loop?.finish() }
      case 1: Task(executorPreference: scheduler) { [loop] in await loop?.stop() }
      default: break
      }
      loop = nil
      scheduler.run()
      let record = log.records[0]
      let statistics = record.source.statistics
      guard record.signals == statistics.signalCount, log.faults == [], record.unsent != nil,
        policy.ignoresSignals
          ? statistics.signalCount <= signals.value : statistics.signalCount == signals.value,
        record.deliveries.count == runs.value
      else {
        Issue.record("seed \(seed): \(signals.value) signals, \(runs.value) runs, \(log.entries)")
        return
      }
    }
  }
}

extension CoalescingPolicy {
  /// Whether a signal in a window may be ignored.
  fileprivate var ignoresSignals: Bool { edges == .leading }
}
