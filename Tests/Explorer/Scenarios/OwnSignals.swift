internal import ExplorerDispatch
internal import ExplorerEngine
internal import SimpleEvents

/// One thread signals. Work on the delivering queue also signals, and finds its own signal pending.
private func ownSignal(_ policy: NamedPolicy, _ queue: QueueKind) -> Scenario {
  Scenario("own-signal-\(policy.name)-\(queue)", "C2 C7") {
    let queue = queue.make()
    let event = makeEvent(on: queue, policy.policy)
    let deliveries = Deliveries()
    let datum = Datum()
    let token = event.observe { deliveries.take { datum.read() } }
    var isOver = false
    parallel(
      { event.trigger() },
      {
        queue.run {
          datum.write()
          event.trigger()
          // On a concurrent queue, the delivery of the signal may have started on another thread.
          expect(
            event.isPendingOrDelivering || deliveries.count > 0,
            "C2: a signal is pending until its delivery starts")
          event.flush()
          isOver = true
        }
      })
    // Time does not pass here, so the window stays open.
    drain()
    expect(isOver && datum.isSeen, "C7: a flush delivers a signal of its own thread")
    settle()
    expect(!event.isPending && deliveries.count <= 2, "C2: each signal is delivered at most once")
    token.remove()
  }
}

/// One thread signals. Another thread signals and cancels. At most one delivery follows, for the first
/// signal.
private func ownCancellation(_ policy: NamedPolicy) -> Scenario {
  Scenario("own-cancel-\(policy.name)", "C2 C7") {
    let event = makeEvent(on: DispatchQueue(label: "queue"), policy.policy)
    let deliveries = Deliveries()
    let token = event.observe { deliveries.take() }
    var isSignalled = false
    parallel(
      {
        event.trigger()
        isSignalled = true
      },
      {
        event.trigger()
        let wasSignalled = isSignalled
        event.cancel()
        if wasSignalled { expect(!event.isPending, "C7: a cancellation drops all signals before it") }
      })
    settle()
    expect(!event.isPending && deliveries.count <= 2, "C7: what was cancelled is not delivered")
    token.remove()
  }
}

/// One thread requests a run of a loop. Another thread makes a request and flushes, or finishes the loop.
private func ownRequest(_ policy: NamedPolicy, finishes: Bool) -> Scenario {
  Scenario("own-request-\(finishes ? "finish" : "flush")-\(policy.name)", "C7 L2 L5") {
    let datum = Datum()
    let loop = Loop(policy.policy, .rerun) { _, _ in datum.read() }
    parallel(
      { loop.request() },
      {
        datum.write()
        loop.request()
        expect(
          loop.isPending || loop.hasRunInProgress || loop.count > 0,
          "C2: a request is pending until its run begins")
        if finishes { loop.close() } else { loop.flush() }
      })
    // Time does not pass here, so the window stays open.
    drain()
    expect(datum.isSeen, "C7: a request of its own thread is run without the rest of the window")
    settle()
    expect(loop.isSettled && loop.count <= 2, "L3: a request gives one run")
  }
}

/// A run is in progress. One thread makes a request and flushes. A later request does not postpone the next
/// run.
private let flushDuringRun: Scenario = Scenario("flush-during-run", "C7 L3") {
  let (hasBegun, goesOn) = (Latch(), Latch())
  let datum = Datum()
  let loop = Loop(.debounce(.milliseconds(10)), .rerun) { loop, _ in
    datum.read()
    hasBegun.open()
    if loop.count == 1 { goesOn.wait() }
  }
  loop.request()
  loop.flush()
  let isFlushed = Latch()
  parallel(
    {
      hasBegun.wait()
      datum.write()
      loop.request()
      loop.flush()
      isFlushed.open()
    },
    {
      isFlushed.wait()
      loop.request()
    },
    {
      isFlushed.wait()
      goesOn.open()
    })
  // Time does not pass here, so the window stays open.
  drain()
  expect(loop.count >= 2 && datum.isSeen, "C7: a flushed request follows the run in progress")
  settle()
  expect(loop.isSettled && loop.count <= 3, "L3: a request gives one run")
}

/// An event is notifying while a thread finishes the loop that observes it.
private let finishDuringNotification: Scenario = Scenario("finish-notification", "L2 L5") {
  let queue = DispatchQueue(label: "queue")
  let event = makeEvent(on: queue)
  let runs = Counter()
  let datum = Datum()
  let loop = Loop(.nextTurn, .rerun) { _, _ in
    runs.value += 1
    datum.read()
  }
  let isNotified = Latch()
  let tokens = [
    event.observe {
      isNotified.open()
      step()
    },
    event.observe { loop.request() },
  ]
  datum.write()
  event.trigger()
  parallel({
    isNotified.wait()
    loop.close(hasMore: event.isPendingOrDelivering)
  })
  settle()
  expect(runs.value >= 1 && datum.isSeen, "L5: finish runs for a notification on its way")
  for token in tokens { token.remove() }
}

let ownSignalScenarios: [Scenario] = {
  let complete = NamedPolicy.all.filter(\.isComplete)
  var all = [flushDuringRun, finishDuringNotification]
  for policy in complete {
    all += QueueKind.allCases.map { ownSignal(policy, $0) } + [ownCancellation(policy)]
    all += [ownRequest(policy, finishes: false), ownRequest(policy, finishes: true)]
  }
  return all
}()
