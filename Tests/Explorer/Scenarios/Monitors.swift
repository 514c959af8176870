internal import CSimpleEvents
internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents
internal import SimpleEventsLoops

/// A monitor that adds up the counts that are reported for one source.
// SAFETY: all fibers run on one thread.
private final class Sums: CoalescingMonitor, @unchecked Sendable {
  private(set) var source: CoalescingSource?
  private(set) var signals: Int = 0
  private(set) var discarded: Int = 0
  private(set) var deliveries: Int = 0
  private(set) var ends: Int = 0
  /// Whether a delivery may have no signal of its own, because a flush or a run is owed.
  var allowsEmptyDeliveries: Bool = true

  /// Creates an object that the monitor watches.
  func watched<Object>(_ make: () -> Object) -> Object {
    // A fiber that was left inside a call of the monitor may have left the thread's flag set.
    _ = simple_events_set_is_monitoring(false)
    CoalescingSystem.willScope()
    return CoalescingSystem.$scoped.withValue(self) { make() }
  }

  func created(_ source: CoalescingSource) { self.source = source }

  func delivered(_ delivery: CoalescingDelivery) {
    note(delivery.signalCount)
    deliveries += 1
    expect((delivery.signalCount == 0) == (delivery.firstSignal == nil), "W2: signals have a first instant")
    expect(allowsEmptyDeliveries || delivery.signalCount > 0, "W2: a delivery has the signals that it covers")
    expect(delivery.latency.map { $0 >= .zero } ?? true, "W2: a delivery starts after its first signal")
  }

  func discarded(_ source: CoalescingSource, unsent: Int) {
    discarded += unsent
    note(unsent)
  }

  func ended(_ source: CoalescingSource, unsent: Int) {
    note(unsent)
    ends += 1
  }

  private func note(_ count: Int) {
    expectUnlocked()
    expect(source != nil && ends == 0, "W2: a source is created first and ends last")
    signals += count
    step()
  }

  /// Checks after the end of the source that each signal was reported once.
  func expectExact(_ accepted: ClosedRange<Int>) {
    expect(ends == 1, "W2: a source ends once")
    expect(accepted.contains(signals), "W2: each signal is delivered or unsent, once")
    expect(source?.statistics.signalCount == signals, "W2: the statistics agree with the reports")
  }
}

/// Two threads signal, and one of them cancels. The object is deallocated with its pending signals.
private func countedSignals(_ policy: NamedPolicy, _ queue: QueueKind) -> Scenario {
  Scenario("monitor-\(policy.name)-\(queue)", "W2 W3") {
    let sums = Sums()
    sums.allowsEmptyDeliveries = false
    let deliveries = Deliveries()
    let queue = queue.make()
    var callback: CoalescingCallback? = sums.watched {
      makeCallback(on: queue, policy.policy) { deliveries.take() }
    }
    parallel(
      { [callback] in
        callback?.schedule()
        callback?.schedule()
      },
      { [callback] in
        callback?.schedule()
        callback?.cancel()
        callback?.schedule()
      })
    sleep(until: 12)
    callback?.schedule()
    callback = nil
    settle()
    sums.expectExact(policy.isComplete ? 5...5 : 1...5)
    expect(sums.deliveries == deliveries.count, "W2: each delivery is reported once")
  }
}

/// One thread signals, another thread delivers, and a third thread ends the source.
private func countedEnd(_ queue: QueueKind) -> Scenario {
  Scenario("monitor-end-\(queue)", "W2 W3") {
    let sums = Sums()
    let queue = queue.make()
    let events = (makeEvent(on: queue), makeEvent(on: queue))
    let proxy = sums.watched { makeProxy(of: events.0, events.1, on: queue) }
    proxy.trigger()
    parallel(
      { proxy.trigger() },
      { proxy.remove() })
    settle()
    expect(proxy.isPending == false, "E6: a removed proxy ignores triggers")
    sums.expectExact(1...2)
  }
}

/// Threads request runs of a loop, cancel a run, and end the loop.
private func countedRequests(_ whenBusy: RefreshLoop.WhenBusy) -> Scenario {
  Scenario("monitor-loop-\(whenBusy)", "W2 W3") {
    let sums = Sums()
    let loop = sums.watched { Loop(.nextTurn, whenBusy) { _, _ in step() } }
    let isStopped = Latch()
    parallel(
      {
        loop.request()
        loop.request()
      },
      {
        loop.request()
        loop.cancel()
        loop.request()
      })
    settle()
    loop.request()
    loop.stop { isStopped.open() }
    isStopped.wait()
    settle()
    sums.expectExact(5...5)
    expect(sums.deliveries == loop.count, "W2: each run is reported once")
  }
}

/// A loop is finished while runs of it are requested.
private let countedFinish: Scenario = Scenario("monitor-finish", "W2 W3") {
  let sums = Sums()
  let loop = sums.watched { Loop(.audit(.milliseconds(10)), .rerun) { _, _ in step() } }
  loop.request()
  parallel(
    { loop.request() },
    { loop.close() })
  settle()
  sums.expectExact(1...2)
  expect(sums.deliveries == loop.count, "W2: each run is reported once")
}

/// A run ends while a delivery is pending. The rerun joins the delivery, and another thread may cancel both.
private func countedJoins(cancelled isCancelled: Bool) -> Scenario {
  Scenario("monitor-joined\(isCancelled ? "-cancel" : "")", "L3 W2") {
    let sums = Sums()
    let isStopped = Latch()
    let loop = sums.watched {
      Loop(.audit(.milliseconds(10)), .rerun) { loop, _ in if loop.count == 1 { sleep(until: 100) } }
    }
    loop.request()
    sleep(until: 20)
    loop.request()
    sleep(until: 95)
    parallel(
      { loop.request() },
      {
        sleep(until: isCancelled ? 100 : 96)
        if isCancelled { loop.cancel() } else { loop.request() }
      })
    settle()
    expect(isCancelled || sums.discarded == 0, "W2: a request that a run answers is not discarded")
    expect(
      sums.source?.statistics.pendingSignalCount == 0, "W2: nothing is pending when the loop has settled")
    loop.stop { isStopped.open() }
    isStopped.wait()
    settle()
    sums.expectExact(isCancelled ? 3...3 : 4...4)
  }
}

let monitorScenarios: [Scenario] =
  QueueKind.allCases.flatMap { queue in
    NamedPolicy.all.map { countedSignals($0, queue) } + [countedEnd(queue)]
  } + [countedRequests(.rerun), countedRequests(.restart), countedRequests(.ignore), countedFinish]
  + [countedJoins(cancelled: false), countedJoins(cancelled: true)]
